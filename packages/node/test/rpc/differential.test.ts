import { readFileSync } from 'node:fs'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil } from '@understudy/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { differences } from './differential/compare.ts'
import { explanations } from './differential/explanations.ts'
import { recordRequests, upstreamCounter, upstreamReverter } from './differential/requests.ts'

type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } }

async function post(url: string, method: string, params: unknown): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as Answer
  return error ? { error } : { result }
}

let live: Anvil
let anvil: Anvil
let network: TestNetwork
beforeAll(async () => {
  live = await startAnvil({ chainId: 31337 })
  const client = await connectClient(live.url)
  expect((await deployContract(client, artifacts.Counter, [3n])).toLowerCase()).toBe(upstreamCounter)
  expect((await deployContract(client, artifacts.Reverter)).toLowerCase()).toBe(upstreamReverter)
  const forkBlockNumber = 2
  ;[anvil, network] = await Promise.all([
    startAnvil({ args: ['--fork-url', live.url, '--fork-block-number', String(forkBlockNumber)] }),
    startNetwork({ forkUrls: [live.url], forkBlockNumber }),
  ])
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
  await live?.stop()
})

describe('the same requests to anvil and to the network, above the same live chain', () => {
  it('are answered alike, except for what docs/differences-from-anvil.md explains', async () => {
    const steps = await recordRequests(31337, 2, Math.floor(Date.now() / 1000) + 1000)
    const answers = { ours: new Map<string, unknown>(), theirs: new Map<string, unknown>() }
    const found = new Map<string, string>()
    for (const { method, params, as } of steps) {
      const filled = (known: ReadonlyMap<string, unknown>) =>
        params.map((param) => (typeof param === 'string' && known.get(param.slice(1, -1))) || param)
      const ours = await post(network.url, method, filled(answers.ours))
      const theirs = await post(anvil.url, method, filled(answers.theirs))
      // Anvil answers before the block is there.
      if (method.startsWith('eth_send') && typeof theirs.result === 'string')
        await eventually(
          () => post(anvil.url, 'eth_getTransactionReceipt', [theirs.result]),
          ({ result }) => result !== null,
        )
      if (as !== undefined) {
        answers.ours.set(as, ours.result)
        answers.theirs.set(as, theirs.result)
      }
      for (const { path, values } of differences(ours, theirs)) found.set(`${method} ${path}`, values)
    }
    const unexplained = [...found].filter(([path]) => !explanations.some(({ where }) => where.test(path)))
    expect(Object.fromEntries(unexplained)).toEqual({})
    const unused = explanations.filter(({ where }) => ![...found.keys()].some((path) => where.test(path)))
    expect(unused.map(({ id }) => id)).toEqual([])
  })

  it('has every explanation in the document, and no other', () => {
    const text = readFileSync(new URL('../../../../docs/differences-from-anvil.md', import.meta.url), 'utf8')
    const documented = [...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, id]) => id)
    expect(documented).toEqual(explanations.map(({ id }) => id))
  })
})
