import { type Anvil, startAnvil, testAccounts } from '@understudy/testkit'
import { type Hex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../../startNetwork.ts'

const alice = testAccounts[0].address
const stranger = '0x00000000000000000000000000000000000000b1'

let anvil: Anvil
let network: TestNetwork

beforeAll(async () => {
  anvil = await startAnvil()
  network = await startNetwork({ forkUrls: [anvil.url] })
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

type Rpc = <T = unknown>(method: string, ...params: unknown[]) => Promise<T>

/** Calls of the network, or of a new branch of it, also after a restart. */
async function open(which: 'a network' | 'a branch'): Promise<Rpc> {
  const { id } = which === 'a network' ? { id: undefined } : await network.rpc<{ id: string }>('dev_createBranch')
  return async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(`${network.url}${id === undefined ? '' : `/n/${id}`}`, { method: 'POST', body })
    const { result, error } = (await answer.json()) as { result: never; error?: object }
    if (error) throw error
    return result
  }
}

type Content = Record<string, Record<string, { hash: Hex }>>

const send = (rpc: Rpc, fields: object = {}) =>
  rpc<Hex>('eth_sendTransaction', { from: alice, to: stranger, value: '0x1', ...fields })

describe.each(['a network', 'a branch'] as const)('%s', (which) => {
  it('gives an id of a snapshot once, through reverts, resets and restarts', async () => {
    const rpc = await open(which)
    const balance = () => rpc<Hex>('eth_getBalance', stranger, 'latest')
    const ids: Hex[] = []
    const snapshot = async () => {
      ids.push(await rpc<Hex>('evm_snapshot'))
      return ids.at(-1) as Hex
    }
    const first = await snapshot()
    expect(await rpc('evm_revert', first)).toBe(true)
    await send(rpc)
    const second = await snapshot()
    await send(rpc)
    const before = await balance()
    expect(await rpc('evm_revert', first)).toBe(false)
    expect(await balance()).toBe(before)
    expect(await rpc('evm_revert', second)).toBe(true)
    await network.restart()
    await snapshot()
    await rpc('anvil_rollback', '0x1')
    await snapshot()
    await rpc('hardhat_reset')
    const last = await snapshot()
    for (const id of ids.slice(0, -1)) expect(await rpc('evm_revert', id)).toBe(false)
    expect(await rpc('evm_revert', last)).toBe(true)
    expect(ids.map(Number)).toEqual([...new Set(ids.map(Number))].sort((a, b) => a - b))
  })

  it('is named by an instance id until it is reset', async () => {
    const rpc = await open(which)
    const instance = async () => (await rpc<{ instanceId: Hex }>('hardhat_metadata')).instanceId
    const before = await instance()
    expect((await rpc<{ instanceId: Hex }>('anvil_metadata')).instanceId).toBe(before)
    const id = await rpc('evm_snapshot')
    await send(rpc)
    await rpc('anvil_rollback')
    await rpc('evm_revert', id)
    await rpc('mock_wipeLocalState')
    await network.restart()
    expect(await instance()).toBe(before)
    const others = await Promise.all([open('a network'), open('a branch')])
    const named = await Promise.all([rpc, ...others].map((each) => each<{ instanceId: Hex }>('hardhat_metadata')))
    expect(new Set(named.map(({ instanceId }) => instanceId)).size).toBe(which === 'a network' ? 2 : 3)
    await rpc('hardhat_reset')
    const after = await instance()
    expect(after).not.toBe(before)
    await network.restart()
    expect(await instance()).toBe(after)
  })

  describe.each([['manual'], ['interval:3600']])('that mines %s', (mode) => {
    /** What waits, by hash. */
    const waiting = async (rpc: Rpc) => {
      const { pending, queued } = await rpc<Record<'pending' | 'queued', Content>>('txpool_content')
      const hashes = (content: Content) =>
        Object.values(content).flatMap((byNonce) => Object.values(byNonce).map(({ hash }) => hash))
      return { pending: hashes(pending), queued: hashes(queued) }
    }
    const nonceOf = async (rpc: Rpc, block: string) => Number(await rpc<Hex>('eth_getTransactionCount', alice, block))

    it('lets those transactions wait again after a revert that waited at the snapshot, and no others', async () => {
      const rpc = await open(which)
      await rpc('dev_setMiningMode', mode)
      const nonce = await nonceOf(rpc, 'latest')
      const first = [await send(rpc), await send(rpc), await send(rpc)]
      const behindGap = await send(rpc, { nonce: toHex(nonce + 9) })
      const then = { pending: first, queued: [behindGap] }
      const snapshot = await rpc<Hex>('evm_snapshot')
      const empty = await rpc<Hex>('evm_snapshot')
      await rpc('anvil_dropAllTransactions')
      const nothing = await rpc<Hex>('evm_snapshot')
      await send(rpc, { nonce: toHex(nonce + 3) })
      expect(await rpc('evm_revert', nothing)).toBe(true)
      expect(await waiting(rpc)).toEqual({ pending: [], queued: [] })
      expect(await rpc('evm_revert', empty)).toBe(true)
      expect(await waiting(rpc)).toEqual(then)
      await rpc('evm_mine')
      await rpc('anvil_dropTransaction', behindGap)
      await send(rpc)
      expect(await rpc('evm_revert', snapshot)).toBe(true)
      expect(await waiting(rpc)).toEqual(then)
      for (const hash of first) expect(await rpc('eth_getTransactionReceipt', hash)).toBeNull()
      await network.restart()
      expect(await waiting(rpc)).toEqual(then)
      await rpc('evm_mine')
      for (const hash of first) expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
      expect(await waiting(rpc)).toEqual({ pending: [], queued: [behindGap] })
      await rpc('anvil_dropAllTransactions')
      await rpc('dev_setMiningMode', 'instant')
    })

    it('keeps what waits when blocks are rolled back or replaced, without what was in them', async () => {
      const rpc = await open(which)
      await rpc('dev_setMiningMode', mode)
      const mined = [await send(rpc), await send(rpc)]
      await rpc('evm_mine')
      const [waits, later] = [await send(rpc), await send(rpc)]
      await rpc('anvil_rollback')
      for (const hash of mined) expect(await rpc('eth_getTransactionByHash', hash)).toBeNull()
      // Before them, nonces are missing.
      expect(await waiting(rpc)).toEqual({ pending: [], queued: [waits, later] })
      await network.restart()
      expect(await waiting(rpc)).toEqual({ pending: [], queued: [waits, later] })
      const filling = [await send(rpc), await send(rpc)]
      expect(await waiting(rpc)).toEqual({ pending: [...filling, waits, later], queued: [] })
      await rpc('evm_mine')
      const another = await send(rpc)
      // The first of the new blocks has a transaction of the nonce that one of them has.
      const nonce = await nonceOf(rpc, 'latest')
      await rpc('anvil_reorg', '0x1', [[{ from: alice, to: stranger, value: '0x7' }, 0]])
      const { transactions } = await rpc<{ transactions: Hex[] }>('eth_getBlockByNumber', 'latest', false)
      expect(transactions).toHaveLength(1)
      expect(await rpc('eth_getTransactionByHash', transactions[0])).toMatchObject({
        value: '0x7',
        nonce: toHex(nonce - 4),
      })
      expect(await waiting(rpc)).toEqual({ pending: [], queued: [another] })
      await rpc('anvil_dropAllTransactions')
      await rpc('dev_setMiningMode', 'instant')
    })
  })
})

describe('a block that was removed', () => {
  const reads = async (rpc: Rpc, hash: Hex) => ({
    block: await rpc('eth_getBlockByHash', hash, true),
    header: await rpc('eth_getHeaderByHash', hash),
    receipts: await rpc('eth_getBlockReceipts', hash),
    logs: await rpc('eth_getLogs', { blockHash: hash }),
    ofAddress: await rpc('eth_getLogs', { blockHash: hash, address: stranger }),
    count: await rpc('eth_getBlockTransactionCountByHash', hash),
    transaction: await rpc('eth_getTransactionByBlockHashAndIndex', hash, '0x0'),
    raw: await rpc('debug_getRawBlock', hash),
    rawReceipts: await rpc('debug_getRawReceipts', hash),
  })

  it.each([
    ['evm_revert', async (rpc: Rpc, id: Hex) => rpc('evm_revert', id)],
    ['anvil_rollback', async (rpc: Rpc) => rpc('anvil_rollback', '0x2')],
    ['anvil_reorg', async (rpc: Rpc) => rpc('anvil_reorg', '0x2', [])],
    ['hardhat_reset', async (rpc: Rpc) => rpc('hardhat_reset')],
  ])('by %s can be read by its hash as before, but is not part of the chain', async (_, remove) => {
    const rpc = await open('a branch')
    const id = await rpc<Hex>('evm_snapshot')
    // Emits a log without topics.
    await rpc('dev_setCode', stranger, '0x5f5fa000')
    const blocks: Hex[] = []
    const hashes: Hex[] = []
    for (let count = 0; count < 2; count++) {
      hashes.push(await send(rpc))
      blocks.push((await rpc<{ hash: Hex }>('eth_getBlockByNumber', 'latest', false)).hash)
    }
    const before = await Promise.all(blocks.map((hash) => reads(rpc, hash)))
    expect(before[0]).toMatchObject({ count: '0x1', logs: [{}], receipts: [{ logs: [{}] }] })
    await remove(rpc, id)
    expect(await Promise.all(blocks.map((hash) => reads(rpc, hash)))).toEqual(before)
    for (const hash of hashes) expect(await rpc('eth_getTransactionReceipt', hash)).toBeNull()
    for (const blockHash of blocks)
      await expect(rpc('eth_getBalance', stranger, { blockHash })).rejects.toMatchObject({ code: -32001 })
    expect(await rpc('eth_getLogs', { fromBlock: '0x0', address: stranger })).toEqual([])
    await send(rpc)
    expect(await Promise.all(blocks.map((hash) => reads(rpc, hash)))).toEqual(before)
  })
})
