import { spawn } from 'node:child_process'
import { rmSync, watch as watchFolder } from 'node:fs'
import { join } from 'node:path'
import { argv, env, execPath, exit, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'
import { watch } from 'rolldown'
import { createServer } from 'vite'
import { bundleOptions } from '../packages/node/scripts/bundleOptions.mjs'

/**
 * `npm run dev`: a network that starts again when a source of it changes, and the dashboard, which shows a change at once.
 * `npm run dev -- --fork-url URL` takes the options of `understudy start`.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const builder = join(root, 'tooling/build.mjs')
const command = join(root, 'packages/node/bin/understudy.js')
/** How long the files of the engine must not change until they are compiled, in milliseconds. */
const settlesMs = 100
const port = argv.includes('--port') ? Number(argv[argv.indexOf('--port') + 1]) : 8545

let network
let isEnding = false
/** One after the other: a network holds its port and its directory until it has stopped. */
let restarting = Promise.resolve()
if ((await build()) !== 0) exit(1)

const bundler = watch(bundleOptions)
bundler.on('event', async (event) => {
  if (event.code === 'ERROR') stdout.write(`${event.error.message}\nThe network runs on as it was\n`)
  if (event.code === 'BUNDLE_END') {
    await event.result.close()
    // It is not the bundle of the last build any more.
    rmSync(join(root, 'packages/node/dist/.bundled-from'), { force: true })
    await restart()
  }
})

// The engine is compiled by another compiler.
const engine = watchFolder(join(root, 'packages/evm/assembly'), { recursive: true })
let compiling = Promise.resolve()
let due
engine.on('change', () => {
  // A file that is saved changes more than once.
  clearTimeout(due)
  due = setTimeout(() => {
    compiling = compiling.then(build).then((code) => code === 0 && restart())
  }, settlesMs)
})

env.UNDERSTUDY_RPC_URL = `http://127.0.0.1:${port}`
const dashboard = await createServer({ root: join(root, 'packages/web') })
await dashboard.listen()
dashboard.printUrls()

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    isEnding = true
    engine.close()
    await Promise.all([bundler.close(), dashboard.close(), end()])
    exit(0)
  })

function build() {
  const child = spawn(execPath, [builder, '--network'], { stdio: 'inherit' })
  return new Promise((resolve) => child.once('close', resolve))
}

function restart() {
  restarting = restarting.then(async () => {
    await end()
    if (!isEnding) network = spawn(execPath, [command, 'start', ...argv.slice(2)], { stdio: 'inherit' })
  })
  return restarting
}

async function end() {
  const child = network
  network = undefined
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await ended
}
