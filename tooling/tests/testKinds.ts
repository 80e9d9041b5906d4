import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What starts a process, a network or a database, or is built: a file that names none of these is a unit test. */
const starters =
  /\b(startAnvil|startNetwork|startUnderstudy|createSampleChain|openPostgres|runCommand|spawn|execFile)\w*\(|TEST_DATABASE_URL|\/dist\//

/** Tests beside the code, and those of the client and the engine, which need neither anvil nor a network. They run in less than a minute. */
export function unitTests(): string[] {
  const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`)
  return [...folders, 'packages/client/test']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => !starters.test(readFileSync(join(root, path), 'utf8')))
    .sort()
}

const campaign = 'kills, floods or fuzzes whole processes for a minute'
const install = 'installs or builds the project anew'
const vectors = 'runs thousands of official or random programs'
const program = 'starts a program of others that takes half a minute'

/** How the paths of those tests begin that `npm test` leaves to `npm run test:full`, because its time is bounded, and why they are long. */
export const inFullRun: Record<string, string> = {
  'campaign/test/': campaign,
  'e2e/test/look': 'looks at every page at three widths in two themes',
  'e2e/test/size': 'measures the dashboard with thousands of transactions',
  'packages/evm/test/conformance/stateTests': vectors,
  'packages/evm/test/fuzz/fuzz': vectors,
  'packages/evm/test/soak/': vectors,
  'packages/node/test/clients/envio': program,
  'packages/node/test/clients/ponder': program,
  'packages/node/test/clients/remix': program,
  'packages/node/test/clients/tutorials': program,
  'packages/node/test/hardhat/ignition': 'compiles and deploys with a program of others',
  'packages/node/test/upstream/shadowFaults': 'kills the network again and again while it follows',
  'packages/testing/test/testing': 'runs the test runners of others',
  'tooling/deployment/image': install,
  'tooling/firstChange': install,
  'tooling/packages/': install,
  'tooling/structure/regularExpressions': 'searches for attacks on every regular expression',
  'tooling/release/release': install,
  'tooling/start': install,
}
