import { type Anvil, connectClient, requireSuccess, startAnvil, type TestClient } from '@understudy/testkit'
import { type Hex, toHex } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'

const logger = '0x00000000000000000000000000000000000000c1'

let anvil: Anvil
let live: TestClient
let network: TestNetwork
let forkedAt: bigint

beforeEach(async () => {
  anvil = await startAnvil()
  live = await connectClient(anvil.url)
  // Emits a log without topics.
  await live.setCode({ address: logger, bytecode: '0x5f5fa000' })
  for (let count = 0; count < 3; count++) await requireSuccess(live, await live.sendTransaction({ to: logger }))
  forkedAt = await live.getBlockNumber()
  network = await startNetwork({ forkUrls: [anvil.url] })
  await network.client.sendTransaction({ to: logger })
})
afterEach(async () => {
  await network?.stop()
  await anvil?.stop()
})

type Answer = { hash?: Hex; blockHash?: Hex }

/** The hash of the block of which each method answers, or the code of its error. */
async function hashesOf(number: bigint): Promise<Record<string, Hex | number | undefined>> {
  const tag = toHex(number)
  const ask = async (method: string, ...params: unknown[]) => {
    const answer = await network.rpc<Answer | Answer[]>(method, ...params).catch(({ code }) => code as number)
    if (typeof answer === 'number') return answer
    const hashes = [answer].flat().map((each) => each.blockHash ?? each.hash)
    return new Set(hashes).size === 1 ? hashes[0] : undefined
  }
  const block = await ask('eth_getBlockByNumber', tag, false)
  return {
    block,
    header: await ask('eth_getHeaderByNumber', tag),
    full: await ask('eth_getBlockByNumber', tag, true),
    byHash: await ask('eth_getBlockByHash', block, false),
    transaction: await ask('eth_getTransactionByBlockNumberAndIndex', tag, '0x0'),
    receipts: await ask('eth_getBlockReceipts', tag),
    receiptsByHash: await ask('eth_getBlockReceipts', block),
    logs: await ask('eth_getLogs', { fromBlock: tag, toBlock: tag }),
    logsByHash: await ask('eth_getLogs', { blockHash: block }),
  }
}

it('is seen by every method alike, and the network keeps the block at which it was forked', async () => {
  const before = await hashesOf(forkedAt)
  expect(new Set(Object.values(before)).size).toBe(1)
  const below = await hashesOf(forkedAt - 1n)
  expect(new Set(Object.values(below)).size).toBe(1)

  const instead = { from: live.account.address, to: logger }
  await live.request({
    method: 'anvil_reorg',
    params: [3, [0, 1, 2].map((index) => [{ ...instead, nonce: toHex(index) }, index])],
  } as never)
  await live.mine({ blocks: 1 })
  const head = await live.getBlockNumber()
  await eventually(
    () => network.rpc<{ base: { number: number } }>('dev_getNetworkInfo'),
    (info) => JSON.stringify(info).includes(String(head)),
  )
  // The live chain no longer has the rest of it.
  const { block, header, byHash, ...rest } = await hashesOf(forkedAt)
  expect([block, header, byHash]).toEqual([before.block, before.block, before.block])
  for (const [method, hash] of Object.entries(rest))
    expect({ method, hash }).toMatchObject({ hash: expect.any(Number) })
  const now = await hashesOf(forkedAt - 1n)
  expect(new Set(Object.values(now))).toEqual(new Set([(await live.getBlock({ blockNumber: forkedAt - 1n })).hash]))
})
