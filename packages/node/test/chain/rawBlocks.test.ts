import { type ShapedChain, startShapedChain } from '@understudy/testkit'
import { fromRlp, type Hex, keccak256, numberToHex, pad, toRlp } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

let chain: ShapedChain
let network: TestNetwork
let block: { hash: Hex; number: Hex; transactions: Hex[] }

beforeAll(async () => {
  chain = await startShapedChain({
    anvil: { hardfork: 'prague' },
    missing: ['debug_getRawHeader', 'debug_getRawBlock', 'debug_getRawReceipts', 'eth_getRawTransactionByHash'],
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
  network = await startNetwork({ forkUrls: [chain.url] })
})
afterAll(async () => {
  await network?.stop()
  await chain?.stop()
})

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

it('refuses receipts that their root does not prove', async () => {
  chain.reshape({ block: (raw) => ({ ...raw, receiptsRoot: pad('0x1') }) })
  await network.stop()
  network = await startNetwork({ forkUrls: [chain.url] })
  await expect(network.rpc('debug_getRawReceipts', block.number)).rejects.toThrow(/JSON does not show/)
})
