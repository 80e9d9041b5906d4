import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Anvil, startAnvil } from '@understudy/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { parse } = createRequire(join(root, 'packages/node/package.json'))('yaml')
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))

let anvil: Anvil
let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-action-'))
  anvil = await startAnvil()
})
afterAll(async () => {
  await anvil.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** The step of the action that runs the command, with these inputs. */
async function run(inputs: Record<string, string>) {
  const child = spawn(process.execPath, [join(root, 'tooling/action/run.mjs')], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      ACTION_DATA: join(directory, 'data'),
      ACTION_COMMAND: `node ${join(root, 'packages/node/bin/understudy.js')}`,
      ...Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => [`ACTION_${name.toUpperCase().replace('-', '_')}`, value]),
      ),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const [code] = await once(child, 'close')
  return { code, output }
}

const balance = `curl -s $ETH_RPC_URL -d '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x${'11'.repeat(20)}","latest"]}'`

it('passes each of its inputs to its script, but the version', () => {
  const { env } = action.runs.steps.find(({ shell }: { shell?: string }) => shell === 'bash')
  const names = Object.keys(action.inputs).filter((name) => name !== 'version')
  for (const name of names) expect(env[`ACTION_${name.toUpperCase().replace('-', '_')}`]).toBe(`\${{ inputs.${name} }}`)
  expect(env.ACTION_COMMAND).toContain('inputs.version')
})

it('runs a command beside a live network, and from its recording without the live chain', {
  timeout: 120_000,
}, async () => {
  await anvil.rpc('anvil_setBalance', [`0x${'11'.repeat(20)}`, '0x7'])
  const live = await run({
    'fork-url': anvil.url,
    record: 'fork.gz',
    args: '--chain-id 4242',
    run: `${balance}; exit 3`,
  })
  expect(live.output).toMatch(
    /ready at http.*"result":"0x7".*::group::Log of the network\n.*Chain id +4242.*::endgroup::/s,
  )
  expect(live.code).toBe(3)
  expect(statSync(join(directory, 'fork.gz')).size).toBeGreaterThan(100)
  await anvil.stop()
  const offline = await run({ from: 'fork.gz', run: balance })
  expect(offline).toMatchObject({ code: 0, output: expect.stringContaining('"result":"0x7"') })
})

it('fails with the log when the network does not start', { timeout: 120_000 }, async () => {
  const { code, output } = await run({ from: 'missing.gz', run: 'echo never' })
  expect(code).toBe(1)
  expect(output).toMatch(
    /::error::The network did not start\n::group::Log of the network\n.*missing\.gz.*::endgroup::/s,
  )
  expect(output).not.toContain('never')
})
