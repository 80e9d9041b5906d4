import { type ShapedChain, startShapedChain } from '@understudy/testkit'
import { encodeFunctionData, erc20Abi, getAddress, type Hex, keccak256, toRlp } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'

type Raw = Record<string, unknown>

const sender: Hex = `0x${'dd'.repeat(20)}`
const token: Hex = `0x${'ee'.repeat(20)}`
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [sender, 5n] })
const signed: Hex = `0x00${'11'.repeat(32)}${'22'.repeat(32)}`
/** What is hashed of the next one, in the order of EIP-8141. */
const payload: Parameters<typeof toRlp>[0] = [
  '0xbdc3',
  '0x03',
  sender,
  [
    ['0x01', '0x03', '0x', ['0x5208', '0x'], '0x', '0x1234'],
    ['0x02', '0x04', token, ['0xc350', '0x017e80'], '0x05', transfer],
    ['0x', '0x', token, ['0x64', '0x'], '0x', '0x'],
  ],
  [
    ['0x01', '0x', '0x', signed],
    ['0x', '0x', `0x${'44'.repeat(32)}`, '0xabcd'],
  ],
  ['0x01', '0x77359400', '0x'],
  [],
]
/** A frame transaction (EIP-8141), and one of a type that nobody knows: neither has the fields of today's. */
const frames = {
  hash: keccak256(`0x06${toRlp(payload).slice(2)}`),
  type: '0x6',
  chainId: '0xbdc3',
  nonce: '0x3',
  sender,
  from: sender,
  frames: [
    {
      mode: '0x1',
      flags: '0x3',
      target: '0x',
      limits: { execution: '0x5208', state: '0x0' },
      value: '0x0',
      data: '0x1234',
    },
    {
      mode: '0x2',
      flags: '0x4',
      target: token,
      limits: { execution: '0xc350', state: '0x17e80' },
      value: '0x5',
      data: transfer,
    },
    { mode: '0x0', flags: '0x0', target: token, limits: { execution: '0x64', state: '0x0' }, value: '0x0', data: '0x' },
  ],
  signatures: [
    { scheme: '0x1', signer: '0x', msg: '0x', signature: signed },
    { scheme: '0x0', signer: '0x', msg: `0x${'44'.repeat(32)}`, signature: '0xabcd' },
  ],
  maxPriorityFeePerGas: '0x1',
  maxFeePerGas: '0x77359400',
  maxFeePerBlobGas: '0x0',
  blobVersionedHashes: [],
}
const strange = { hash: `0x${'5f'.repeat(32)}`, type: '0x5f', anything: { nested: ['0x1'] } }
const added = [frames, strange]

describe('a live chain with transactions of types that a later fork brings', () => {
  let chain: ShapedChain
  let network: TestNetwork
  let ordinary: Hex
  let number: Hex
  const rpc = <T = unknown>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)

  const receiptOf = ({ hash, type }: Raw, index: number, head: Raw) => ({
    transactionHash: hash,
    transactionIndex: `0x${index.toString(16)}`,
    blockHash: head.hash,
    blockNumber: head.number,
    type,
    status: '0x1',
    gasUsed: '0x5208',
    cumulativeGasUsed: `0x${(21_000 * (index + 1)).toString(16)}`,
    effectiveGasPrice: '0x1',
    logs: [],
    logsBloom: `0x${'00'.repeat(256)}`,
    payer: sender,
  })
  const head: Raw = {}

  beforeAll(async () => {
    chain = await startShapedChain({
      anvil: { chainId: 777_203 },
      missing: ['debug_traceTransaction', 'debug_traceBlockByHash', 'debug_traceBlockByNumber', 'eth_getBlockReceipts'],
      // They are in each block with a transaction, around it.
      block: (raw) => {
        const { transactions } = raw as { transactions: (string | Raw)[] }
        if (transactions.length === 0) return raw
        const isWhole = typeof transactions[0] === 'object'
        const position = { blockHash: raw.hash, blockNumber: raw.number }
        const [first, last] = added.map((each) => (isWhole ? { ...each, ...position } : each.hash))
        return { ...raw, transactions: [first, ...transactions, last] }
      },
      answer: ({ method, params }) => {
        const found = added.find(({ hash }) => params?.[0] === hash)
        if (!found) return undefined
        const position = { blockNumber: head.number, blockHash: head.hash }
        if (method === 'eth_getTransactionByHash') return { result: { ...found, ...position } }
        const index = found === frames ? 0 : 2
        return method === 'eth_getTransactionReceipt' ? { result: receiptOf(found, index, head) } : undefined
      },
    })
    const [from, to] = await chain.rpc<Hex[]>('eth_accounts')
    network = await startNetwork({ forkUrls: [chain.url], mine: 'replay' })
    ordinary = await chain.rpc<Hex>('eth_sendTransaction', [{ from, to, value: '0x1' }])
    await eventually(() => chain.rpc('eth_getTransactionReceipt', [ordinary]), Boolean)
    Object.assign(head, await chain.rpc<Raw>('eth_getBlockByNumber', ['latest', false]))
    number = head.number as Hex
    await eventually(
      () => rpc<Hex>('eth_blockNumber'),
      (reached) => BigInt(reached) >= BigInt(number),
    )
  })
  afterAll(async () => {
    await network?.stop()
    await chain?.stop()
  })

  it('goes on in replay, and shows them with their own fields and the hashes of the live chain', async () => {
    const fork = await startNetwork({ forkUrls: [chain.url] })
    const block = await fork.rpc<{ transactions: Raw[] }>('eth_getBlockByNumber', number, true)
    expect(block.transactions.map(({ hash }) => hash)).toEqual([frames.hash, ordinary, strange.hash])
    expect(block.transactions[0]).toMatchObject(frames)
    expect(await fork.rpc('eth_getTransactionByHash', frames.hash)).toMatchObject(frames)
    expect(await fork.rpc('eth_getTransactionByHash', strange.hash)).toMatchObject(strange)
    expect(await fork.rpc('eth_getTransactionReceipt', frames.hash)).toMatchObject({ type: '0x6', payer: sender })
    expect(await fork.rpc('dev_decodeTransaction', frames.hash)).toMatchObject({
      hash: frames.hash,
      from: sender,
      to: null,
      frameTransaction: {
        chainId: '48579',
        nonce: '3',
        frames: [
          {
            mode: 'verify',
            mayApprove: 'execution and payment',
            isBatched: false,
            target: sender,
            contract: null,
            function: null,
            gasLimit: '21000',
            stateGasLimit: '0',
            value: '0',
            data: '0x1234',
            dataSize: 2,
          },
          {
            mode: 'sender',
            mayApprove: 'none',
            isBatched: true,
            target: token,
            function: { name: 'transfer', args: [{ value: getAddress(sender) }, { value: '5' }] },
            gasLimit: '50000',
            stateGasLimit: '97920',
            value: '5',
            data: transfer,
            dataSize: 68,
          },
          { mode: 'default', mayApprove: 'none', isBatched: false, target: token, function: null, gasLimit: '100' },
        ],
        signatures: [
          { scheme: 'secp256k1', signer: null, message: null, signature: signed },
          { scheme: 'arbitrary', signer: null, message: `0x${'44'.repeat(32)}`, signature: '0xabcd' },
        ],
        maxPriorityFeePerGas: '1',
        maxFeePerGas: '2000000000',
        maxFeePerBlobGas: '0',
        blobVersionedHashes: [],
        isProven: true,
      },
    })
    expect(await fork.rpc('debug_getRawTransaction', frames.hash)).toBe(`0x06${toRlp(payload).slice(2)}`)
    expect(await fork.rpc('dev_decodeTransaction', strange.hash)).toMatchObject({
      hash: strange.hash,
      frameTransaction: null,
    })
    const traces = await fork.rpc<{ txHash: Hex }[]>('debug_traceBlockByNumber', number, { tracer: 'callTracer' })
    expect(traces.map(({ txHash }) => txHash)).toEqual([ordinary])
    expect(await fork.rpc('debug_traceTransaction', ordinary)).toMatchObject({ gas: 21_000 })
    await expect(fork.rpc('debug_traceTransaction', frames.hash)).rejects.toThrow(/type 0x6/)
    await fork.rpc('ots_getBlockTransactions', Number(number), 0, 10)
    await fork.rpc('trace_block', number)
    await fork.rpc('eth_feeHistory', '0x1', 'latest', [50])
    await fork.rpc('eth_simulateV1', { blockStateCalls: [{ calls: [{ to: sender }] }] }, 'latest')
    await fork.stop()
  })

  it('counts them apart in fidelity and in a forecast', async () => {
    const fork = await startNetwork({ forkUrls: [chain.url] })
    expect(await fork.rpc('dev_checkFidelity', { blocks: 1 })).toMatchObject({
      transactions: 1,
      transactionsAgree: 1,
      passed: [
        { type: '0x6', transactions: 1 },
        { type: '0x5f', transactions: 1 },
      ],
    })
    expect(await fork.rpc('dev_forecast', { hardfork: 'amsterdam', blocks: 1 })).toMatchObject({
      transactions: 1,
      refused: 0,
      passed: [
        { type: '0x6', transactions: 1 },
        { type: '0x5f', transactions: 1 },
      ],
    })
    await fork.stop()
  })

  it('is shadowed, with the others run', async () => {
    await rpc('dev_setBalance', sender, '0x1')
    await rpc('dev_setShadow', { enabled: true })
    const [from, to] = await chain.rpc<Hex[]>('eth_accounts')
    const sent = await chain.rpc<Hex>('eth_sendTransaction', [{ from, to, value: '0x2' }])
    await eventually(() => chain.rpc('eth_getTransactionReceipt', [sent]), Boolean)
    Object.assign(head, await chain.rpc<Raw>('eth_getBlockByNumber', ['latest', false]))
    await eventually(
      () => rpc<Hex>('eth_blockNumber'),
      (reached) => BigInt(reached) >= BigInt(head.number as Hex),
    )
    const local = await rpc<{ transactions: Hex[] }>('eth_getBlockByNumber', head.number, false)
    expect(local.transactions).toEqual([sent])
  })
})
