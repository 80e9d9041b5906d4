import { type ShapedChain, startShapedChain } from '@understudy/testkit'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'

type Raw = Record<string, unknown>

const depositor = `0x${'dd'.repeat(20)}`
const fields = { nonce: '0x0', input: '0x', gasPrice: '0x0', gas: '0xf4240', v: '0x0', r: '0x0', s: '0x0' }
/** Of Arbitrum (ArbitrumInternalTx) and of the OP Stack, as their nodes show them. */
const internal = { ...fields, hash: `0x${'6a'.repeat(32)}`, type: '0x6a', from: depositor, to: depositor, value: '0x0' }
const deposit = {
  ...fields,
  hash: `0x${'7e'.repeat(32)}`,
  type: '0x7e',
  sourceHash: `0x${'50'.repeat(32)}`,
  mint: '0x5',
  from: depositor,
  to: `0x${'ee'.repeat(20)}`,
  value: '0x5',
}

describe('a live block that begins with transactions of other kinds', () => {
  let chain: ShapedChain
  let network: TestNetwork
  let ordinary: Hex

  beforeAll(async () => {
    chain = await startShapedChain({
      anvil: { chainId: 777_200 },
      missing: ['debug_traceTransaction', 'debug_traceBlockByHash', 'debug_getRawHeader'],
      block: (raw) => {
        const { transactions } = raw as { transactions: (string | Raw)[] }
        const isWhole = transactions.length > 0 && typeof transactions[0] === 'object'
        const position = { blockHash: raw.hash, blockNumber: raw.number }
        const added = [internal, deposit].map((each) => (isWhole ? { ...each, ...position } : each.hash))
        return transactions.length === 0 ? raw : { ...raw, transactions: [...added, ...transactions] }
      },
      answer: ({ method, params }) => {
        const found = [internal, deposit].find(({ hash }) => params?.[0] === hash)
        return method === 'eth_getTransactionByHash' && found
          ? { result: { ...found, blockNumber: '0x1', blockHash: head.hash } }
          : undefined
      },
    })
    const [from, to] = await chain.rpc<Hex[]>('eth_accounts')
    ordinary = await chain.rpc<Hex>('eth_sendTransaction', [{ from, to, value: '0x1' }])
    await eventually(() => chain.rpc('eth_getTransactionReceipt', [ordinary]), Boolean)
    Object.assign(head, await chain.rpc<Raw>('eth_getBlockByNumber', ['latest', false]))
    network = await startNetwork({ forkUrls: [chain.url] })
  })
  const head: Raw = {}
  afterAll(async () => {
    await network?.stop()
    await chain?.stop()
  })

  it('is shown as it is', async () => {
    const block = await network.rpc<{ transactions: Raw[] }>('eth_getBlockByNumber', 'latest', true)
    expect(block.transactions[0]).toMatchObject(internal)
    expect(block.transactions[1]).toMatchObject(deposit)
  })

  it('has its ordinary transactions traced', async () => {
    expect(await network.rpc('debug_traceTransaction', ordinary)).toMatchObject({ failed: false, gas: 21_000 })
  })

  it('leaves it out of the trace of its block, which has the others', async () => {
    const traces = await network.rpc('debug_traceBlockByNumber', head.number, { tracer: 'callTracer' })
    expect(traces).toMatchObject([{ txHash: deposit.hash }, { txHash: ordinary, result: { gasUsed: '0x5208' } }])
  })

  it('has deposits run as they were, and says of what else it cannot', async () => {
    const call = await network.rpc('debug_traceTransaction', deposit.hash, { tracer: 'callTracer' })
    expect(call).toMatchObject({ from: depositor, to: deposit.to, value: '0x5' })
    await expect(network.rpc('debug_traceTransaction', internal.hash)).rejects.toThrow(/type 0x6a/)
  })
})
