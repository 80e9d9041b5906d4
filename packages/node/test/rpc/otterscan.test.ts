import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  startAnvil,
  type TestClient,
  testAccounts,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Json = Record<string, unknown>
type Page = { txs: { hash: Hex }[]; receipts: { transactionHash: Hex }[]; firstPage: boolean; lastPage: boolean }

let anvil: Anvil
let live: TestClient
let network: TestNetwork
let factory: Address
let child: Address
/** Upstream's own, then the network's. */
let old: { factory: Address; deployed: Hex; sent: Hex }
let created: Hex
let failed: Hex
const [alice, bob] = [
  testAccounts[0].address.toLowerCase() as Address,
  testAccounts[1].address.toLowerCase() as Address,
]

beforeAll(async () => {
  anvil = await startAnvil()
  live = await connectClient(anvil.url)
  const upstreamFactory = await deployContract(live, artifacts.Factory)
  const deployed = (await live.getBlock({ blockNumber: 1n })).transactions[0] as Hex
  const sent = await live.sendTransaction({ to: bob, value: 1n })
  old = { factory: upstreamFactory.toLowerCase() as Address, deployed, sent }
  network = await startNetwork({ forkUrls: [anvil.url] })

  factory = (await deployContract(network.client, artifacts.Factory)).toLowerCase() as Address
  const { abi } = artifacts.Factory
  created = await network.client.writeContract({ address: factory, abi, functionName: 'create', args: [7n], value: 5n })
  const { logs } = await network.client.getTransactionReceipt({ hash: created })
  child = `0x${logs[0]?.data.slice(26, 66)}`
  const reverter = await deployContract(network.client, artifacts.Reverter)
  const data = encodeFunctionData({ abi: artifacts.Reverter.abi, functionName: 'withReason', args: ['no'] })
  failed = await network.client.sendTransaction({ to: reverter, data, gas: 100_000n })
})
afterAll(async () => {
  await network?.stop()
  await anvil?.stop()
})

const here = <T = Json>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
const hashes = (page: Page) => page.txs.map(({ hash }) => hash)

describe('Otterscan', () => {
  it('sees what a transaction did inside', async () => {
    expect(await here('ots_getApiLevel')).toBe(8)
    expect(await here('ots_getInternalOperations', created)).toEqual([
      { type: 2, from: factory, to: child, value: '0x5' },
    ])
    expect(await here('ots_traceTransaction', created)).toMatchObject([
      { type: 'CALL', depth: 0, from: alice, to: factory, value: '0x5' },
      { type: 'CREATE', depth: 1, from: factory, to: child, value: '0x5' },
    ])
    expect(await here('ots_getInternalOperations', old.sent)).toEqual([])
    expect(await here('ots_getTransactionError', created)).toBe('0x')
    expect(await here('ots_getTransactionError', failed)).toMatch(/^0x08c379a0/)
  })

  it('knows who created a contract, here and upstream', async () => {
    expect(await here('ots_hasCode', child, 'latest')).toBe(true)
    expect(await here('ots_hasCode', bob, 'latest')).toBe(false)
    expect(await here('ots_getContractCreator', child)).toEqual({ hash: created, creator: factory })
    expect(await here('ots_getContractCreator', old.factory)).toEqual({ hash: old.deployed, creator: alice })
    expect(await here('ots_getContractCreator', '0x00000000000000000000000000000000000000aa')).toBeNull()
  })

  it('finds transactions by sender and nonce, here and upstream', async () => {
    const { nonce } = await network.client.getTransaction({ hash: created })
    expect(await here('ots_getTransactionBySenderAndNonce', alice, nonce)).toBe(created)
    expect(await here('ots_getTransactionBySenderAndNonce', alice, 1)).toBe(old.sent)
    expect(await here('ots_getTransactionBySenderAndNonce', alice, 1000)).toBeNull()
  })

  it('pages through the transactions of an address, across the fork', async () => {
    expect(await here('ots_searchTransactionsBefore', factory, 0, 25)).toMatchObject({
      txs: [{ hash: created }, { from: alice, to: null }],
      receipts: [{ transactionHash: created, timestamp: expect.any(String) }, { status: '0x1' }],
      firstPage: true,
    })
    const newest = await here<Page>('ots_searchTransactionsBefore', alice, 0, 2)
    expect(hashes(newest)[0]).toBe(failed)
    expect([newest.txs.length, newest.firstPage, newest.lastPage]).toEqual([2, true, false])
    const all: Hex[] = []
    for (let block = 0n; ; ) {
      const page = await here<Page & { txs: { blockNumber: Hex }[] }>(
        'ots_searchTransactionsBefore',
        alice,
        Number(block),
        2,
      )
      all.push(...hashes(page))
      block = BigInt(page.txs.at(-1)?.blockNumber ?? 0)
      if (page.lastPage || page.txs.length === 0) break
    }
    // Two of upstream's, and four of the network's.
    expect(all.length).toBe(6)
    expect(all.slice(-2)).toEqual([old.sent, old.deployed])
    const oldest = await here<Page>('ots_searchTransactionsAfter', alice, 0, 25)
    expect([...hashes(oldest)].sort()).toEqual([...all].sort())
    expect(oldest.lastPage).toBe(true)
    expect(hashes(await here<Page>('ots_searchTransactionsAfter', alice, 2, 1))).toEqual([all[3]])
  })

  it('shows blocks with their fees and a page of their transactions', async () => {
    const number = await network.client.getBlockNumber()
    const { hash } = await network.client.getBlock({ blockNumber: number })
    const { gasUsed, effectiveGasPrice } = await network.client.getTransactionReceipt({ hash: failed })
    const details = await here('ots_getBlockDetails', Number(number))
    expect(details).toMatchObject({
      block: { hash, transactionCount: 1 },
      issuance: { issuance: '0x0' },
      totalFees: `0x${(gasUsed * effectiveGasPrice).toString(16)}`,
    })
    expect(details.block).not.toHaveProperty('transactions')
    expect(await here('ots_getBlockDetailsByHash', hash)).toEqual(details)
    expect(await here('ots_getBlockDetails', 1)).toMatchObject({ block: { transactionCount: 1 } })
    expect(await here('ots_getBlockDetails', 99999)).toBeNull()
    expect(await here('ots_getBlockTransactions', Number(number), 0, 10)).toMatchObject({
      fullblock: { hash, transactionCount: 1, transactions: [{ hash: failed, input: '0xf8db9348' }] },
      receipts: [{ transactionHash: failed, logs: null, logsBloom: null }],
    })
    expect(await here('ots_getBlockTransactions', Number(number), 1, 10)).toMatchObject({
      fullblock: { transactions: [] },
    })
  })
})
