import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath, exit, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'
import { runVitest } from './runVitest.mjs'

/**
 * Runs tests: `npm test`, `npm run test:unit`, `npm run test:full`, `npm run test:watch`. It says first what it will do and how
 * long that takes. What follows the name, such as files and `-t`, goes to vitest.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `seconds` is what it takes on two cores, once it is built. */
const kinds = {
  unit: { seconds: 50, what: 'the tests that need neither anvil nor a network', build: ['--tests'] },
  default: { seconds: 600, what: 'all tests but the longest, which `npm run test:full` has', build: [] },
  full: { seconds: 1200, what: 'all tests', build: [] },
  watch: { what: 'the unit tests now and those that a change concerns later', build: ['--tests'] },
}

const [name, ...words] = argv.slice(2)
const { seconds, what, build } = kinds[name]
const isSome = words.length > 0
/** How long each kind took here the last time, in seconds. */
const timesFile = join(root, 'node_modules/.cache/test-times.json')
const times = readTimes()
const children = new Set()
let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isEnding = true
    for (const child of children) child.kill(signal)
  })

stdout.write(isSome ? `Builds what has changed, then runs ${words.join(' ')}\n` : plan())
const started = performance.now()
if (name === 'default' && !isSome) {
  // The unit tests need less of the build: they run while the rest is built.
  await runBuild(['--tests'])
  const rest = runBuild([])
  await runTests('run', 'unit')
  await rest
  await runTests('run', 'default')
} else {
  await runBuild(build)
  const kind = name === 'watch' ? 'unit' : name
  // Files that are named are run whatever kind they are.
  await runTests(name === 'watch' ? 'watch' : 'run', isSome || kind === 'full' ? undefined : kind)
}
if (!isSome && name !== 'watch') storeTime()
exit()

function plan() {
  const cores = availableParallelism()
  const here = times[name] ? `${duration(times[name])} the last time` : `about ${duration(seconds)} on two cores`
  const takes = name === 'watch' ? '' : `: ${here}${times[name] ? '' : `; this machine has ${cores}`}`
  const unit = name === 'default' ? '`npm run test:unit` takes less than a minute. ' : ''
  return `Builds what has changed, then runs ${what}${takes}. ${unit}One file: npx vitest run packages/node/test/chain/wipes\n`
}

function duration(time) {
  return time < 100 ? `${Math.round(time)} s` : `${Math.round(time / 60)} min`
}

function readTimes() {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8'))
  } catch {
    return {}
  }
}

function storeTime() {
  times[name] = Math.round((performance.now() - started) / 1000)
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  writeFileSync(timesFile, JSON.stringify(times))
}

async function runBuild(args) {
  const code = await run([join(root, 'tooling/build.mjs'), ...args])
  if (code === 0) return
  for (const child of children) child.kill()
  exit(code)
}

async function runTests(command, kind) {
  const { code, tryAgain } = await runVitest(run, [command, ...words], {
    IS_BUILT: '1',
    ...(kind === 'default' && { SHORT_RUN: '1' }),
    ...(kind && { TEST_KIND: kind }),
  })
  const last = tryAgain ? await tryAgain() : code
  if (last !== 0) process.exitCode = last
}

async function run(args, environment = {}) {
  const child = spawn(execPath, args, { cwd: root, stdio: 'inherit', env: { ...env, ...environment } })
  children.add(child)
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  children.delete(child)
  if (isEnding) exit(130)
  return code ?? 1
}
