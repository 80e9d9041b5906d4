import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Anvil, startAnvil, startUnderstudy } from '@understudy/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

const tooling = fileURLToPath(new URL('.', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(tooling, '../package.json'), 'utf8'))

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

let directory: string
let child: ChildProcess
let output: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-start-'))
})
afterEach(async () => {
  // The group of npm, and the build, which has a group of its own.
  for (const id of [-(child.pid as number), buildId()]) if (id !== undefined) kill(id, 'SIGKILL')
  await gone()
  rmSync(directory, { recursive: true, force: true })
})

/** Runs `npm start` of this project with another build, because the real one would replace what other tests use. */
function npmStart(build: string): void {
  mkdirSync(join(directory, 'tooling'))
  copyFileSync(join(tooling, 'start.mjs'), join(directory, 'tooling/start.mjs'))
  writeFileSync(join(directory, 'tooling/build.mjs'), build)
  symlinkSync(join(tooling, '../packages'), join(directory, 'packages'))
  const manifest = { private: true, scripts: { start: scripts.start } }
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest))
  const flags = ['--port', '0', '--data-dir', join(directory, 'data')]
  child = spawn('npm', ['start', '--', '--fork-url', anvil.url, ...flags], {
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
}

const built = `console.log('Building')`
const building = `
  import { renameSync, writeFileSync } from 'node:fs'
  writeFileSync('building.new', String(process.pid))
  renameSync('building.new', 'building')
  setInterval(() => {}, 1000)
`

const buildId = () => {
  const file = join(directory, 'building')
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
}

/** A negative id is that of a group. It may have ended already. */
function kill(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Waits until no process is left that writes to what npm was given: the network, and what builds it. */
const gone = async () => {
  if (!child.stdout?.closed) await once(child.stdout as NonNullable<typeof child.stdout>, 'close')
}

async function until<T>(read: () => T | undefined): Promise<T> {
  for (;;) {
    const value = read()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const listening = () => until(() => /Listening on (\S+)/.exec(output)?.[1])
const exit = () => once(child, 'exit')

/** Throws if the port or the directory is still in use. */
async function startAgain(url: string): Promise<void> {
  const args = ['--fork-url', anvil.url, '--port', new URL(url).port, '--data-dir', join(directory, 'data')]
  const again = await startUnderstudy(args)
  expect(again.url).toBe(url)
  expect((await again.end()).code).toBe(0)
}

it.each(['SIGTERM', 'SIGINT'] as const)('npm start stops the network when npm alone gets %s', async (signal) => {
  npmStart(built)
  const url = await listening()
  expect(output).toMatch(/Building\n.*Listening/s)
  child.kill(signal)
  expect(await exit()).toEqual([0, null])
  await gone()
  await startAgain(url)
})

it.each(['SIGTERM', 'SIGINT'] as const)(
  'it stops cleanly when the whole group gets %s, as from a terminal',
  async (signal) => {
    npmStart(built)
    const url = await listening()
    kill(-(child.pid as number), signal)
    expect(await exit()).toEqual([0, null])
    await gone()
    await startAgain(url)
  },
)

it('stops the network when npm is killed', async () => {
  npmStart(built)
  const url = await listening()
  child.kill('SIGKILL')
  await gone()
  await startAgain(url)
})

it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('ends the build with npm, by %s', async (signal) => {
  npmStart(building)
  await until(buildId)
  child.kill(signal)
  expect(await exit()).toEqual([null, signal])
  await gone()
  expect(output).not.toContain('Listening')
})

it('starts nothing when the build fails', async () => {
  npmStart('process.exit(3)')
  expect(await exit()).toEqual([3, null])
  await gone()
  expect(output).not.toContain('Listening')
})
