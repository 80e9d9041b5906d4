import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startUnderstudy, type Understudy } from '@understudy/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { methods } from '../../packages/node/src/rpc/methods/index.ts'
import { examplesOf } from './methodPages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Inside the repository, so that its packages are found.
const modules = join(root, 'node_modules/.examples')

let network: Understudy
beforeAll(async () => {
  mkdirSync(modules, { recursive: true })
  network = await startUnderstudy(['--ephemeral'])
})
afterAll(async () => {
  rmSync(modules, { recursive: true, force: true })
  await network?.end()
})

function shell(code: string): unknown {
  const path = [join(root, 'clients/foundry/node_modules/.bin'), process.env.PATH].join(delimiter)
  const printed = execFileSync('bash', ['-ec', code], { encoding: 'utf8', env: { ...process.env, PATH: path } })
  const parsed = JSON.parse(printed)
  return parsed?.jsonrpc === undefined ? parsed : parsed.result
}

async function module(name: string, code: string): Promise<unknown> {
  const file = join(modules, `${name}.mjs`)
  writeFileSync(file, `${code}\nexport { result }\n`)
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)).result
}

// They do the same however often they are called.
it.each(['dev_setBalance', 'dev_impersonateAccount', 'dev_getFunctionOverrides', 'eth_chainId', 'eth_getBalance'])(
  'the request of %s does the same in curl, viem, ethers and cast',
  async (name) => {
    const method = methods.find((each) => each.name === name)
    const results: [string, unknown][] = []
    for (const block of method ? examplesOf(method) : []) {
      const [, language, client = '', code = ''] = /^```(\w+) tab=(\w+)\n(.*)\n```$/s.exec(block) ?? []
      const here = code.replaceAll('http://127.0.0.1:8545', network.url)
      results.push([client, language === 'sh' ? shell(here) : await module(`${name}-${client}`, here)])
    }
    expect(results.map(([client]) => client)).toEqual(['curl', 'viem', 'ethers', 'cast'])
    // Ids and times differ from call to call.
    const shape = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value).sort() : value)
    for (const [client, result] of results) expect([client, shape(result)]).toEqual([client, shape(results[0]?.[1])])
  },
)
