import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { arch, argv, env, exit, platform, versions } from 'node:process'
import { fileURLToPath } from 'node:url'
import { runVitest } from './tests/runVitest.mjs'

/**
 * Runs those tests that depend on Node.js with each of its versions in tooling/nodes: the oldest that is supported, and the
 * newest of each later line. `npm run test:nodes`; with a version and files for less: `npm run test:nodes -- 26 traces`.
 * SHORT_RUN=1 leaves out what takes long. The tests, the servers and commands that they start, and npm run with that version.
 * The versions run beside each other, each with one worker, which loads the project once; what one prints comes as a whole.
 */

const root = fileURLToPath(new URL('..', import.meta.url))

/** What each file is here for. */
const short = [
  'packages/evm/test/start', // WebAssembly and the flags of V8
  'packages/evm/test/limits', // the engine's memory
  'packages/node/test/clients/cli', // the command: processes, signals, files
  'packages/node/test/contracts/contractImport', // the compiler in a worker, explorers through fetch
  'packages/node/test/server/http', // streams, sockets, compression
  'packages/node/test/postgres/connection', // pg
  'packages/node/test/upstream/warmRestart', // libsql, the files of a network
  'packages/node/test/server/webSocket', // ws
  'packages/node/test/mcp/stdio', // fetch, the SDK of the Model Context Protocol
]
const long = [
  ...short,
  'tooling/packages', // the packages as users install them
  'packages/node/test/rpc/traces', // the engine's other build
  'packages/evm/test/precompiles/long',
  'packages/evm/test/readme',
  'packages/node/test/clients/clients',
  'packages/node/test/rpc/differential',
  'packages/node/test/upstream/following',
  'packages/node/test/upstream/forking',
  'packages/node/test/clients/foundry',
  'packages/node/test/chain/blobs',
  'packages/node/test/chain/hostileContracts',
  'packages/node/test/server/keys',
  'packages/node/test/rpc/methods',
  'packages/node/test/contracts/overrides',
  'packages/node/test/postgres/nodes',
  'packages/node/test/postgres/opening',
  'packages/node/test/contracts/projectImport',
  'packages/node/test/chain/pruning',
  'packages/node/test/clients/remoteCommands',
  'packages/node/test/chain/rewind/reset',
  'packages/node/test/tracking/tracking',
  'packages/node/test/upstream/uniswapV3',
  'packages/node/test/upstream/faults/upstreamFaults',
  'packages/node/test/server/webSocketLoad',
  'tooling/start',
]

const majors = ['20', '22', '24', '26']
const words = argv.slice(2)
const chosen = words.filter((word) => majors.includes(word))
const named = words.filter((word) => !chosen.includes(word))
const files = named.length > 0 ? named : (env.SHORT_RUN ? short : long).map((file) => `${file}.test.ts`)

/** Starts forty processes: in CI, with the newest version alone, beside the one that has run all tests. */
const ofCommand = 'packages/node/test/clients/cli.test.ts'
const isLeftOut = (file, major) => env.SHORT_RUN && named.length === 0 && file === ofCommand && major !== majors.at(-1)

/** In ms: several versions share two cores with the servers that their tests start. */
const timeout = 90_000

const folder = install()
let code = 0
const secondTries = []
// In CI all tests have just run with the Node.js that this is.
const others = env.SHORT_RUN ? majors.filter((major) => major !== versions.node.split('.')[0]) : majors
await Promise.all(
  (chosen.length > 0 ? chosen : others).map(async (major) => {
    const node = join(folder, `node_modules/node-${major}-${platform}-${arch}/bin/node`)
    if (!existsSync(node))
      throw new Error(`${node} is missing: tooling/nodes has no Node.js for ${platform} on ${arch}`)
    const version = await run(node, ['--version'])
    const runTests = async (args, environment) => {
      const { code, output } = await run(node, args, environment)
      process.stdout.write(`\nNode.js ${version.output}${output}`)
      return code
    }
    const tests = await runVitest(runTests, [
      'run',
      '--maxWorkers=1',
      `--testTimeout=${timeout}`,
      ...files.filter((file) => !isLeftOut(file, major)),
    ])
    if (tests.tryAgain) secondTries.push(tests.tryAgain)
    else if (tests.code !== 0) code = 1
  }),
)
for (const tryAgain of secondTries) if ((await tryAgain()) !== 0) code = 1
exit(code)

/** Fetches the binaries once, by the hashes of the lock file. Answers where they are. */
function install() {
  const source = join(root, 'tooling/nodes')
  const target = join(root, '.nodes')
  const lock = join(target, 'package-lock.json')
  const isThere =
    existsSync(join(target, 'node_modules')) &&
    readFileSync(lock, 'utf8') === readFileSync(join(source, 'package-lock.json'), 'utf8')
  if (isThere) return target
  mkdirSync(target, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(source, name), join(target, name))
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--prefix', target], { stdio: 'inherit' })
  if (status !== 0) exit(status ?? 1)
  return target
}

/** With this Node.js first in the path, so that npm and what it runs use it too. Answers the exit code and all that it printed. */
async function run(node, args, more = {}) {
  const environment = {
    ...env,
    IS_BUILT: '1',
    TEST_KIND: 'nodes',
    PATH: [dirname(node), env.PATH].join(delimiter),
    ...more,
  }
  const child = spawn(node, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const [status] = await once(child, 'close')
  return { code: status, output }
}
