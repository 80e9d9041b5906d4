import { type Anvil, startAnvil, startShapedChain, testAccounts } from '@understudy/testkit'
import { type Hex, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const slots = 4
const [from, to] = testAccounts.map(({ address }) => address) as [Hex, Hex]

let live: Anvil
let network: TestNetwork

beforeAll(async () => {
  live = await startAnvil()
  await live.rpc('anvil_mine', ['0x14'])
})
afterAll(() => live?.stop())
beforeEach(async () => {
  network = await startNetwork({ forkUrls: [live.url], slotsInEpoch: slots })
})
afterEach(() => network?.stop())

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>
const askNetwork: Ask = (method, ...params) => network.rpc(method, ...params)

/** What `tag` means to methods of every kind. */
async function meaningOf(ask: Ask, tag: string) {
  const block = (await ask('eth_getBlockByNumber', tag, false)) as { number: Hex }
  return {
    number: block.number,
    balance: await ask('eth_getBalance', to, tag),
    nonce: await ask('eth_getTransactionCount', from, tag),
    called: await ask('eth_call', { data: '0x4360005260206000f3' }, tag),
    logs: await ask('eth_getLogs', { fromBlock: tag, toBlock: tag }),
  }
}

it("means anvil's blocks by safe and finalized, on both sides of the fork", async () => {
  const anvil = await startAnvil({ args: ['--fork-url', live.url, '--slots-in-an-epoch', String(slots)] })
  onTestFinished(() => anvil.stop())
  const askAnvil: Ask = (method, ...params) => anvil.rpc(method, params)
  for (const _ of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    for (const tag of ['latest', 'safe', 'finalized'])
      expect(await meaningOf(askNetwork, tag), tag).toEqual(await meaningOf(askAnvil, tag))
    for (const ask of [askAnvil, askNetwork]) {
      const hash = await ask('eth_sendTransaction', { from, to, value: '0x1' })
      // anvil answers before the transaction is in a block.
      await eventually(() => ask('eth_getTransactionReceipt', hash), Boolean)
    }
  }
  expect(await meaningOf(askNetwork, 'finalized')).toMatchObject({ number: '0x16' })
  expect(await network.rpc('eth_feeHistory', '0x1', 'finalized', [])).toMatchObject({ oldestBlock: '0x16' })
})

it('answers the same at once and on the long way', async () => {
  const post = async (body: object) => (await fetch(network.url, { method: 'POST', body: JSON.stringify(body) })).text()
  for (const tag of ['safe', 'finalized'])
    for (const [method, ...params] of [
      ['eth_getBalance', to, tag],
      ['eth_getBlockByNumber', tag, true],
      ['eth_call', { data: '0x4360005260206000f3' }, tag],
      ['eth_getLogs', { fromBlock: tag, toBlock: 'latest' }],
    ]) {
      const call = { id: 1, method, params }
      expect(await post({ jsonrpc: '2.0', ...call }), `${method} ${tag}`).toBe(await post(call))
    }
})

it('does not remove a finalized block, except by a revert or a reset', async () => {
  const numberOf = async (tag: string) => Number((await meaningOf(askNetwork, tag)).number)
  await network.rpc('anvil_mine', '0xa')
  const snapshot = await network.rpc('evm_snapshot')
  await network.rpc('anvil_mine', '0x4')
  const head = await numberOf('latest')
  const refusal = `block ${head - 8} is finalized, so at most the latest 8 blocks can be removed`
  await expect(network.rpc('anvil_rollback', 9)).rejects.toThrow(refusal)
  await expect(network.rpc('anvil_reorg', 9, [])).rejects.toThrow(refusal)
  expect(await numberOf('latest')).toBe(head)
  await network.rpc('anvil_reorg', 8, [])
  await network.restart()
  expect(await numberOf('finalized')).toBe(head - 8)
  await network.rpc('anvil_rollback', 8)
  expect([await numberOf('latest'), await numberOf('safe')]).toEqual([head - 8, head - 12])
  await network.rpc('anvil_mine', '0x20')
  expect(await network.rpc('evm_revert', snapshot)).toBe(false)
  await network.rpc('anvil_reset')
  expect([await numberOf('latest'), await numberOf('finalized')]).toEqual([20, 12])
})

it('begins with the oldest block that is kept, and with the first of the chain', async () => {
  const pruned = await startNetwork({ slotsInEpoch: 1000, keepBlocks: 256 })
  try {
    expect(await pruned.rpc('eth_getBlockByNumber', 'finalized', false)).toMatchObject({ number: '0x0' })
    await pruned.rpc('anvil_mine', '0x258')
    expect(await pruned.rpc('eth_getBlockByNumber', 'finalized', false)).toMatchObject({ number: expect.any(String) })
    expect(await pruned.rpc('eth_getBalance', to, 'safe')).toBe('0x21e19e0c9bab2400000')
  } finally {
    await pruned.stop()
  }
})

it('has the head for both where no epochs are asked for, and removes any block', async () => {
  const plain = await startNetwork({})
  try {
    await plain.rpc('anvil_mine', '0x64')
    expect(await plain.rpc('eth_getBlockByNumber', 'finalized', false)).toMatchObject({ number: '0x64' })
    await plain.rpc('anvil_rollback', 90)
    expect(await plain.rpc('eth_getBlockByNumber', 'safe', false)).toMatchObject({ number: '0xa' })
  } finally {
    await plain.stop()
  }
})

describe('a chain that says in its headers which block is settled, as Avalanche after Helicon', () => {
  const settledBehind = (behind: number) => (raw: Record<string, unknown>) => ({
    ...raw,
    settledHeight: numberToHex(Math.max(0, Number(raw.number) - behind)),
  })
  const tagsOf = async ({ rpc }: TestNetwork) => {
    const blocks = await Promise.all(
      ['latest', 'safe', 'finalized'].map((tag) => rpc<{ number: Hex }>('eth_getBlockByNumber', tag, false)),
    )
    return blocks.map(({ number }) => Number(number))
  }

  it('has that block for both, as far behind here as the newest live block has it', async () => {
    const chain = await startShapedChain({ anvil: {}, block: settledBehind(4) })
    onTestFinished(() => chain.stop())
    await chain.rpc('anvil_mine', ['0x14'])
    const forked = await startNetwork({ forkUrls: [chain.url], mine: 'instant' })
    onTestFinished(() => forked.stop())
    expect(await tagsOf(forked)).toEqual([20, 16, 16])
    await forked.rpc('anvil_mine', '0x2')
    expect(await tagsOf(forked)).toEqual([22, 18, 18])
    expect(await forked.rpc('eth_getBlockByNumber', 'latest', false)).toMatchObject({ settledHeight: '0x12' })
    expect(await forked.rpc('eth_getBalance', to, 'safe')).toBe(await forked.rpc('eth_getBalance', to, '0x12'))
    // The next live block settles more, of which blocks here know as soon as they have it as their base.
    chain.reshape({ block: settledBehind(1) })
    await chain.rpc('anvil_mine', [])
    await eventually(
      () => tagsOf(forked),
      ([newest]) => newest === 23,
    )
    expect(await tagsOf(forked)).toEqual([23, 22, 22])
    await forked.rpc('anvil_mine', '0x7d0')
    expect(await tagsOf(forked)).toEqual([2023, 2022, 2022])
    expect(await forked.rpc('eth_getBlockByNumber', '0x400', false)).toMatchObject({ settledHeight: '0x3ff' })
    await forked.rpc('anvil_rollback', 2003)
    expect(await tagsOf(forked)).toEqual([20, 16, 16])
    await forked.restart({ slotsInEpoch: slots })
    const [newest = 0, ...below] = await tagsOf(forked)
    expect(below).toEqual([newest - slots, newest - 2 * slots])
  })
})
