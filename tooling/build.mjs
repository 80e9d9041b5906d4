import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { argv, execPath, exit, stderr, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * Builds the project, as many steps at a time as do not need each other: `node tooling/build.mjs`. With `--network`, only what
 * a network needs that is started: no test contracts, no other packages, and no types are checked. With `--tests`, only what
 * tests need that start no process of the project. Each step looks itself whether it has something to do, and prints a line if
 * it had.
 */

const tsc = 'node_modules/typescript/bin/tsc'

/** Compilers in WebAssembly work for seconds: V8 takes longer to optimize them than it gains. */
const compiler = '--liftoff-only'

/** In the order in which they are started: what takes longest, or what others wait for, first. */
const forAll = {
  engines: { args: [compiler, 'packages/evm/scripts/buildWasm.mjs'] },
  'sample contracts': { args: [compiler, 'packages/node/scripts/buildContracts.mjs'] },
  curve: { args: ['packages/evm/scripts/extractMcl.mjs'] },
  signatures: { args: ['packages/evm/scripts/extractSecp256k1.mjs'] },
}
const forTests = {
  Foundry: { args: ['packages/testkit/scripts/installFoundry.mjs'] },
  'test contracts': { args: [compiler, 'packages/testkit/scripts/buildContracts.mjs'] },
}
const forUse = {
  dashboard: { args: ['packages/web/scripts/buildDashboard.mjs'] },
  command: { args: ['packages/node/scripts/buildBundle.mjs'], after: ['sample contracts'] },
  documentation: { args: ['tooling/site/buildSite.mjs'] },
}
const onlyNetwork = { 'engine host': { args: [tsc, '-b', 'packages/evm'] } }
const checked = {
  packages: { args: [tsc, '-b'], after: ['sample contracts', 'test contracts'] },
  'first start': {
    args: ['packages/node/scripts/warmBundle.mjs'],
    after: ['engines', 'curve', 'signatures', 'command', 'packages'],
  },
}

/** It takes longest: the others leave it a processor. With a still lower priority they would wait for it, and be the last. */
const longest = 'engines'
const lower = 5

/** Milliseconds after which it says what it is doing. */
const noticeMs = 700

const chosen = { ...forAll, ...furtherSteps() }
const running = new Map()
const runs = new Map()
const notice = setTimeout(() => stdout.write(`Building: ${[...running.keys()].join(', ')}\n`), noticeMs)
await Promise.all(Object.keys(chosen).map(run))
clearTimeout(notice)

function furtherSteps() {
  if (argv.includes('--network')) return { ...forUse, ...onlyNetwork }
  if (argv.includes('--tests')) return forTests
  return { ...forTests, ...forUse, ...checked }
}

/** Once, however many steps wait for it. */
function run(name) {
  if (!runs.has(name)) runs.set(name, runNow(name))
  return runs.get(name)
}

async function runNow(name) {
  const { args, after = [] } = chosen[name]
  await Promise.all(after.map(run))
  const started = performance.now()
  const child = spawn(execPath, args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (name !== longest) setPriority(child.pid, lower)
  running.set(name, child)
  let printed = ''
  let complaints = ''
  child.stdout.on('data', (text) => {
    printed += text
  })
  child.stderr.on('data', (text) => {
    complaints += text
  })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  running.delete(name)
  if (code !== 0) {
    for (const other of running.values()) other.kill()
    stderr.write(`${printed}${complaints}The step "${name}" of the build failed\n`)
    exit(1)
  }
  stderr.write(complaints)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (printed) stdout.write(`${printed.trimEnd()} (${seconds} s)\n`)
}
