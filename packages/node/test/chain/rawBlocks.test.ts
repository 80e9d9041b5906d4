import { type ShapedChain, startShapedChain } from '@understudy/testkit'
import { fromRlp, type Hex, keccak256, numberToHex, pad, toRlp } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

let chain: ShapedChain
let network: TestNetwork
let block: { hash: Hex; number: Hex; transactions: Hex[] }

beforeAll(async () => {
  chain = await startShapedChain({
    anvil: { hardfork: 'prague' },
    missing: [
      'debug_getRawHeader',
      'debug_getRawBlock',
      'debug_getRawReceipts',
      'eth_getRawTransactionByHash',
      'eth_getBlockReceipts',
    ],
  })
  const [from, to] = await chain.rpc<Hex[]>('eth_accounts')
  const price = numberToHex(3n * 10n ** 9n)
  await chain.rpc('evm_setAutomine', [false])
  const requests = [
    { to, value: '0x1', gasPrice: price },
    { to, gasPrice: price, accessList: [{ address: to, storageKeys: [pad('0x1')] }] },
    { data: '0x60016000a0', maxFeePerGas: price, maxPriorityFeePerGas: price },
  ]
  for (const [nonce, request] of requests.entries())
    await chain.rpc('eth_sendTransaction', [{ from, gas: '0x186a0', nonce: numberToHex(nonce), ...request }])
  await chain.rpc('evm_mine')
  block = await chain.rpc('eth_getBlockByNumber', ['latest', false])
})
afterAll(() => chain?.stop())
beforeEach(async () => {
  network = await startNetwork({ forkUrls: [chain.url] })
})
afterEach(() => network?.stop())

it('makes raw headers, blocks and transactions of what a live chain without such methods shows', async () => {
  expect(block.transactions).toHaveLength(3)
  const header = await network.rpc<Hex>('debug_getRawHeader', block.number)
  expect(keccak256(header)).toBe(block.hash)
  const [shown, transactions] = fromRlp(await network.rpc<Hex>('debug_getRawBlock', block.number), 'hex') as [
    Hex[],
    Hex[],
  ]
  expect(toRlp(shown)).toBe(header)
  expect(transactions).toHaveLength(3)
  for (const hash of block.transactions)
    expect(keccak256(await network.rpc<Hex>('debug_getRawTransaction', hash))).toBe(hash)
})

it('makes raw receipts, which their root proves', async () => {
  const receipts = await network.rpc<Hex[]>('debug_getRawReceipts', block.number)
  expect(receipts.map((receipt) => receipt.slice(0, 6))).toEqual(['0xf901', '0x01f9', '0x02f9'])
})

it('reads the receipts of a block one by one where the live chain has no method for all', async () => {
  const receipts = await Promise.all(block.transactions.map((hash) => chain.rpc('eth_getTransactionReceipt', [hash])))
  expect(await network.rpc('eth_getBlockReceipts', block.number)).toEqual(receipts)
  expect(await network.rpc('eth_getBlockReceipts', '0xffff')).toBeNull()
})

it('bounds the receipts that are read one by one', async () => {
  await network.restart({ requestKeys: 2 })
  const refused = expect.stringContaining('--request-keys')
  await expect(network.rpc('eth_getBlockReceipts', block.number)).rejects.toMatchObject({ details: refused })
})

it('refuses what the hashes do not prove', async () => {
  chain.reshape({ block: (raw) => ({ ...raw, receiptsRoot: pad('0x1') }) })
  onTestFinished(() => chain.reshape({ block: (raw) => raw }))
  await network.stop()
  network = await startNetwork({ forkUrls: [chain.url] })
  for (const what of ['Receipts', 'Header', 'Block'])
    await expect(network.rpc(`debug_getRaw${what}`, block.number)).rejects.toThrow(/JSON does not show/)
})
