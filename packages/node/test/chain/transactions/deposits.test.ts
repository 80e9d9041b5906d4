import { type Anvil, artifacts, type ShapedChain, startAnvil, startShapedChain } from '@understudy/testkit'
import {
  type Address,
  createPublicClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  keccak256,
  numberToHex,
  pad,
  toRlp,
} from 'viem'
import { optimism } from 'viem/chains'
import { serializeTransaction } from 'viem/op-stack'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listRoot } from '../../../src/ethereum/listRoot.ts'
import { bytesFromHex } from '../../../src/shared/hex.ts'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'
import { opStackCode } from '../opStackPredeploys.ts'

type Raw = Record<string, unknown>

const anvilOptions = { chainId: 777_300, args: ['--network', 'optimism', '--hardfork', 'isthmus'] }
const l1Block: Address = '0x4200000000000000000000000000000000000015'
const receiver: Address = `0x${'bb'.repeat(20)}`
const ether = 10n ** 18n

let chain: ShapedChain
/** Another anvil of the same kind, which takes deposits too. */
let reference: Anvil
let network: TestNetwork
let count = 0
const rpc = <T = unknown>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)

/** Each has a source of its own, and by default a sender that no other has. */
function rawDeposit(more: Raw = {}): { raw: Hex; hash: Hex; from: Address } {
  const id = numberToHex(++count, { size: 2 }).slice(2)
  const from = (more.from ?? `0x${'d'.repeat(36)}${id}`) as Address
  const sourceHash = `0x${'50'.repeat(30)}${id}`
  const fields = { to: receiver, mint: ether, value: ether / 2n, gas: 100_000n, isSystemTx: false, data: '0x1234' }
  const raw = serializeTransaction({ type: 'deposit', ...fields, sourceHash, ...more, from } as never) as Hex
  return { raw, hash: keccak256(raw), from }
}
/** In a block of the live chain, from before the network was forked. */
const live = rawDeposit({ to: `0x${'cc'.repeat(20)}` })

const balanceOf = async (address: Address) => BigInt(await rpc<Hex>('eth_getBalance', address, 'latest'))
const nonceOf = async (address: Address, tag = 'latest') =>
  BigInt(await rpc<Hex>('eth_getTransactionCount', address, tag))
const receiptOf = (hash: Hex) => rpc<Raw>('eth_getTransactionReceipt', hash)
/** The error of a request, as it is answered. */
async function failure(method: string, ...params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(network.url, { method: 'POST', body })
  return ((await response.json()) as { error?: { code: number; message: string } }).error
}

beforeAll(async () => {
  ;[chain, reference] = await Promise.all([
    startShapedChain({ anvil: anvilOptions, block: (raw) => ({ ...raw, extraData: '0x00000000fa00000006' }) }),
    startAnvil(anvilOptions),
  ])
  await chain.rpc('anvil_setCode', [l1Block, opStackCode.l1Block])
  await chain.rpc('anvil_setStorageAt', [l1Block, pad('0x1'), pad(numberToHex(5_000_000_000n))])
  await chain.rpc('anvil_setStorageAt', [l1Block, pad('0x3'), pad(numberToHex(5227n << 96n))])
  await chain.rpc('eth_sendRawTransaction', [live.raw])
  await eventually(() => chain.rpc('eth_getTransactionReceipt', [live.hash]), Boolean)
  await chain.rpc('evm_mine')
  network = await startNetwork({ forkUrls: [chain.url], acceptDeposits: true })
})
afterAll(async () => {
  await network?.stop()
  await Promise.all([chain?.stop(), reference?.stop()])
})
beforeEach(() => rpc('dev_setMiningMode', 'instant'))

describe('a deposit that is sent', () => {
  it('runs as in anvil, and is shown with the nonce that it had', async () => {
    const from: Address = `0x${'aa'.repeat(20)}`
    const to: Address = `0x${'ba'.repeat(20)}`
    const creation = encodeDeployData({ abi: artifacts.Counter.abi, bytecode: artifacts.Counter.bytecode, args: [7n] })
    const created = getContractAddress({ from, nonce: 2n }).toLowerCase() as Address
    const increment = encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'increment' })
    for (const [index, more] of [
      {},
      { mint: undefined, value: 1n, data: '0x' },
      { to: undefined, mint: 0n, value: 0n, data: creation, gas: 1_000_000n },
      { to: created, value: 0n, data: increment },
      { to: created, value: 0n, data: '0x12345678' },
    ].entries()) {
      const { raw, hash } = rawDeposit({ to, ...more, from })
      expect(await rpc('eth_sendRawTransaction', raw)).toBe(hash)
      await reference.rpc('eth_sendRawTransaction', [raw])
      const nonce = numberToHex(index)
      const ours = await receiptOf(hash)
      // anvil answers before the block is there.
      const theirs = await eventually(() => reference.rpc<Raw>('eth_getTransactionReceipt', [hash]), Boolean)
      const logsOf = ({ logs }: Raw) => (logs as Raw[]).map(({ address, topics, data }) => ({ address, topics, data }))
      expect(logsOf(ours)).toEqual(logsOf(theirs))
      for (const field of [
        'status',
        'gasUsed',
        'cumulativeGasUsed',
        'contractAddress',
        'effectiveGasPrice',
        'logsBloom',
      ])
        expect({ [field]: ours[field] }).toEqual({ [field]: theirs[field] })
      // anvil shows the nonce after the deposit.
      const depositNonce = numberToHex(BigInt(theirs.depositNonce as Hex) - 1n)
      expect(ours).toMatchObject({ type: '0x7e', depositNonce, depositReceiptVersion: '0x1', from })
      expect(ours).not.toHaveProperty('l1Fee')
      const shown = await rpc<Raw>('eth_getTransactionByHash', hash)
      const {
        blockHash,
        blockNumber,
        blockTimestamp,
        nonce: _,
        r,
        s,
        ...same
      } = await eventually(
        () => reference.rpc<Raw>('eth_getTransactionByHash', [hash]),
        ({ transactionIndex }) => transactionIndex !== null,
      )
      expect(shown).toMatchObject(same)
      expect(shown).toMatchObject({ nonce, gasPrice: '0x0', v: '0x0', r: '0x0', s: '0x0', isSystemTx: false })
      expect(shown).toMatchObject({ depositReceiptVersion: '0x1', blockHash: ours.blockHash })
      expect(await rpc('eth_getRawTransactionByHash', hash)).toBe(raw)
      for (const address of [from, to])
        expect(await rpc('eth_getBalance', address, 'latest')).toBe(
          await reference.rpc('eth_getBalance', [address, 'latest']),
        )
    }
    expect(await nonceOf(from)).toBe(5n)
  })

  it('is read by viem as a chain of the OP Stack has it', async () => {
    const { raw, hash, from } = rawDeposit()
    const receipt = await rpc<Raw>('eth_sendRawTransactionSync', raw)
    expect(receipt).toEqual(await receiptOf(hash))
    const client = createPublicClient({ chain: optimism, transport: http(network.url) })
    expect(await client.getTransaction({ hash })).toMatchObject({ type: 'deposit', mint: ether, from, nonce: 0 })
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', l1Fee: null })
    const block = await client.getBlock({ includeTransactions: true })
    expect(block.transactions).toMatchObject([{ type: 'deposit', hash }])
  })

  it('is in the roots of its block, with the nonce and the version in its receipt', async () => {
    const { raw, hash } = rawDeposit()
    await rpc('eth_sendRawTransaction', raw)
    const { cumulativeGasUsed, logsBloom } = await receiptOf(hash)
    const encoded: Hex = `0x7e${toRlp(['0x01', cumulativeGasUsed as Hex, logsBloom as Hex, [], '0x', '0x01']).slice(2)}`
    expect(await rpc('debug_getRawReceipts', 'latest')).toEqual([encoded])
    const block = await rpc<Raw>('eth_getBlockByNumber', 'latest', true)
    expect(block.receiptsRoot).toBe(listRoot([bytesFromHex(encoded)]))
    expect(block.transactionsRoot).toBe(listRoot([bytesFromHex(raw)]))
    expect(await rpc('debug_getRawTransaction', hash)).toBe(raw)
  })

  it.each<[string, Raw, string]>([
    ['sends more than its sender has', { value: 2n * ether }, 'insufficient balance for transfer'],
    ['has too little gas', { gas: 100n }, 'out of gas'],
    ['creates with bad code', { to: undefined, value: 0n, data: '0xfe' }, 'invalid opcode: INVALID'],
  ])('that %s is in a block and fails, and its sender keeps the mint', async (_, more, error) => {
    const { raw, hash, from } = rawDeposit(more)
    await rpc('eth_sendRawTransaction', raw)
    const gas = numberToHex((more.gas as bigint | undefined) ?? 100_000n)
    expect(await receiptOf(hash)).toMatchObject({ status: '0x0', gasUsed: gas, depositNonce: '0x0' })
    expect([await balanceOf(from), await nonceOf(from)]).toEqual([ether, 1n])
    expect(await rpc('debug_traceTransaction', hash, { tracer: 'callTracer' })).toMatchObject({ error })
  })

  it('is not known twice, in the pool, in a block, or after a restart, but again after a revert', async () => {
    const snapshot = await rpc('evm_snapshot')
    const { raw, hash, from } = rawDeposit()
    const known = { code: -32000, message: 'already known' }
    await rpc('dev_setMiningMode', 'manual')
    await rpc('eth_sendRawTransaction', raw)
    expect(await failure('eth_sendRawTransaction', raw)).toEqual(known)
    await rpc('evm_mine')
    expect(await failure('eth_sendRawTransaction', raw)).toEqual(known)
    await network.restart()
    for (const method of ['eth_sendRawTransaction', 'eth_sendRawTransactionSync'])
      expect(await failure(method, raw)).toEqual(known)
    const sent = await Promise.allSettled([raw, raw, raw].map((each) => rpc('eth_sendRawTransaction', each)))
    expect(sent.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await balanceOf(from)).toBe(ether / 2n)
    await rpc('evm_revert', snapshot)
    await rpc('dev_setMiningMode', 'instant')
    expect(await balanceOf(from)).toBe(0n)
    const again = await Promise.allSettled([raw, raw].map((each) => rpc('eth_sendRawTransaction', each)))
    expect(again.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await receiptOf(hash)).toMatchObject({ status: '0x1' })
    expect(await balanceOf(from)).toBe(ether / 2n)
  })

  it('of a block of the live chain is known too', async () => {
    expect(await rpc('eth_getTransactionByHash', live.hash)).toMatchObject({ type: '0x7e', hash: live.hash })
    expect(await failure('eth_sendRawTransaction', live.raw)).toEqual({ code: -32000, message: 'already known' })
  })

  it('waits with others as the first of its block, and takes the nonces of its sender', async () => {
    const from = network.client.account.address.toLowerCase() as Address
    await rpc('dev_setMiningMode', 'manual')
    const nonce = await nonceOf(from)
    const request = { from, to: receiver, value: '0x1', gas: '0x5208' }
    const early = await rpc<Hex>('eth_sendTransaction', request)
    const first = rawDeposit({ from })
    const second = rawDeposit({ from })
    for (const { raw } of [first, second]) await rpc('eth_sendRawTransaction', raw)
    expect(await nonceOf(from, 'pending')).toBe(nonce + 2n)
    const late = await rpc<Hex>('eth_sendTransaction', request)
    expect(await rpc('eth_getTransactionByHash', late)).toMatchObject({ nonce: numberToHex(nonce + 2n) })
    expect(await rpc('eth_getTransactionByHash', first.hash)).toMatchObject({ blockHash: null, nonce: '0x0' })
    const pool = await rpc<{ pending: Raw; queued: Raw }>('txpool_contentFrom', from)
    expect(Object.values(pool.pending).map((each) => (each as Raw).hash)).toEqual([first.hash, second.hash, late])
    expect(Object.values(pool.queued).map((each) => (each as Raw).hash)).toEqual([early])
    const pending = await rpc<{ transactions: Hex[] }>('eth_getBlockByNumber', 'pending', false)
    expect(pending.transactions).toEqual([first.hash, second.hash, late])
    await network.restart()
    await rpc('evm_mine')
    const { transactions } = await rpc<{ transactions: Raw[] }>('eth_getBlockByNumber', 'latest', true)
    expect(transactions.map(({ hash }) => hash)).toEqual([first.hash, second.hash, late])
    expect(transactions.map((each) => BigInt(each.nonce as Hex) - nonce)).toEqual([0n, 1n, 2n])
    // Its nonce was taken.
    expect(await rpc('eth_getTransactionByHash', early)).toBeNull()
    expect(await rpc('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  it('is dropped from the pool on request', async () => {
    await rpc('dev_setMiningMode', 'manual')
    const [one, other] = [rawDeposit(), rawDeposit()]
    for (const { raw } of [one, other]) await rpc('eth_sendRawTransaction', raw)
    await rpc('anvil_dropTransaction', one.hash)
    await rpc('anvil_removePoolTransactions', other.from)
    await rpc('evm_mine')
    expect(await rpc('eth_getBlockByNumber', 'latest', false)).toMatchObject({ transactions: [] })
  })

  it('is traced, replayed, listed and stored as others are', async () => {
    const { raw, hash, from } = rawDeposit()
    const before = await rpc<Raw>('eth_getBlockByNumber', 'latest', false)
    await rpc('eth_sendRawTransaction', raw)
    const [receipt, transaction] = [await receiptOf(hash), await rpc<Raw>('eth_getTransactionByHash', hash)]
    const call = await rpc('debug_traceTransaction', hash, { tracer: 'callTracer' })
    expect(call).toMatchObject({ from, to: receiver, value: numberToHex(ether / 2n), gasUsed: receipt.gasUsed })
    expect(
      await rpc('debug_traceTransaction', hash, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }),
    ).toMatchObject({
      post: { [from]: { balance: numberToHex(ether / 2n), nonce: 1 } },
    })
    expect(await rpc('trace_transaction', hash)).toMatchObject([{ action: { from, to: receiver }, type: 'call' }])
    expect(await rpc('trace_replayTransaction', hash, ['trace', 'stateDiff'])).toMatchObject({ trace: [{}] })
    const byNumber = await rpc('debug_traceBlockByNumber', 'latest', { tracer: 'callTracer' })
    expect(byNumber).toEqual([{ txHash: hash, result: call }])
    const rawBlock = await rpc('debug_getRawBlock', 'latest')
    expect(await rpc('debug_traceBlock', rawBlock, { tracer: 'callTracer' })).toEqual(byNumber)
    expect(await rpc('eth_getBlockReceipts', 'latest')).toEqual([receipt])
    expect(await rpc('eth_getTransactionByBlockNumberAndIndex', 'latest', '0x0')).toEqual(transaction)
    expect(await rpc('eth_feeHistory', '0x1', 'latest', [0, 100])).toMatchObject({ reward: [['0x0', '0x0']] })
    expect(await rpc('ots_getTransactionBySenderAndNonce', from, 0)).toBe(hash)
    expect(await rpc('dev_getTransactions', { address: from })).toMatchObject({
      items: [{ transactionHash: hash, from }],
    })
    expect(await rpc('dev_decodeTransaction', hash)).toMatchObject({ from })
    await network.restart()
    expect(await receiptOf(hash)).toEqual(receipt)
    expect(await rpc('eth_getTransactionByHash', hash)).toEqual(transaction)
    expect(await rpc('eth_getBlockReceipts', 'latest')).toEqual([receipt])
    expect(await rpc('debug_traceTransaction', hash, { tracer: 'callTracer' })).toEqual(call)
    expect(await rpc('eth_getBlockByNumber', before.number, false)).toEqual(before)
  })

  it('is in a branch of its own, and in a block that replaces another', async () => {
    const { raw, hash, from } = rawDeposit()
    const { url } = await rpc<{ url: string }>('dev_createBranch', {})
    const branch = createPublicClient({ chain: optimism, transport: http(url) })
    await branch.request({ method: 'eth_sendRawTransaction', params: [raw] })
    expect(await branch.getTransaction({ hash })).toMatchObject({ type: 'deposit', nonce: 0 })
    expect(await rpc('eth_getTransactionByHash', hash)).toBeNull()
    await rpc('evm_mine')
    await rpc('anvil_reorg', '0x1', [[raw, 0]])
    expect(await receiptOf(hash)).toMatchObject({ status: '0x1', from })
  })

  it('has no more gas than its block, and a mint that its sender can hold', async () => {
    const { gasLimit } = await rpc<{ gasLimit: Hex }>('eth_getBlockByNumber', 'latest', false)
    const many = await failure('eth_sendRawTransaction', rawDeposit({ gas: BigInt(gasLimit) + 1n }).raw)
    expect(many).toMatchObject({ code: -32000, message: expect.stringMatching(/^exceeds block gas limit/) })
    const rich = rawDeposit({ mint: 2n ** 256n - 1n })
    await rpc('dev_setBalance', rich.from, '1')
    expect(await failure('eth_sendRawTransaction', rich.raw)).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^the mint makes the balance of the sender too high/),
    })
    expect(await failure('eth_sendRawTransaction', rawDeposit({ isSystemTx: true }).raw)).toEqual({
      code: -32000,
      message: 'system transaction not supported: isSystemTx must be false since Regolith',
    })
    expect(await rpc('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  it('fails when its sender has spent since what it had at admission', async () => {
    const { raw, hash, from } = rawDeposit({ mint: 1n, value: ether })
    await rpc('dev_setBalance', from, String(ether))
    await rpc('dev_setMiningMode', 'manual')
    await rpc('eth_sendRawTransaction', raw)
    await rpc('dev_setBalance', from, '5')
    await rpc('evm_mine')
    expect(await receiptOf(hash)).toMatchObject({ status: '0x0' })
    expect(await balanceOf(from)).toBe(6n)
  })
})

describe('a deposit is refused', () => {
  const refusal = (problem: string) => ({
    code: -32000,
    message: `transaction type not supported: 0x7e, a deposit: ${problem}`,
  })
  const methods = [
    (raw: Hex) => ['eth_sendRawTransaction', raw],
    (raw: Hex) => ['eth_sendRawTransactionSync', raw],
    (raw: Hex) => ['eth_sendRawTransactionConditional', raw, {}],
    (raw: Hex) => ['anvil_reorg', '0x1', [[raw, 0]]],
  ] as const

  it('without the option that accepts it, which the error names', async () => {
    await network.restart({ acceptDeposits: false })
    for (const method of methods)
      expect(await failure(...(method(rawDeposit().raw) as [string]))).toMatchObject(
        refusal('start the network with --accept-deposits to send some'),
      )
    await network.restart()
  })

  it('on a chain that has none, whatever it is', async () => {
    const ethereum = await startNetwork({ acceptDeposits: true })
    const own = network
    network = ethereum
    try {
      const problem = 'only chains of the OP Stack have some, and this is none. --chain-profile says what a chain is'
      for (const method of methods)
        expect(await failure(...(method(rawDeposit().raw) as [string]))).toMatchObject(refusal(problem))
      expect(await failure('eth_sendRawTransaction', '0x7e')).toMatchObject(refusal(problem))
      for (const [method, ...params] of [
        ['trace_rawTransaction', rawDeposit().raw, ['trace']],
        ['eth_callBundle', { txs: [rawDeposit().raw], blockNumber: '0x1', stateBlockNumber: 'latest' }],
      ] as const)
        expect(await failure(method, ...params)).toMatchObject({ message: 'transaction type not supported: 0x7e' })
    } finally {
      network = own
      await ethereum.stop()
    }
  })

  it('from a key that may not make ether', async () => {
    const own = network
    network = await startNetwork({
      forkUrls: [chain.url],
      acceptDeposits: true,
      apiKeys: ['key-of-an-administrator:admin', 'key-of-a-sender-only:write'],
    })
    const { url } = network
    try {
      const { raw, hash } = rawDeposit()
      network.url = `${url}/rpc/key-of-a-sender-only`
      for (const method of methods.slice(0, 3))
        expect(await failure(...(method(raw) as [string]))).toMatchObject({
          message: expect.stringContaining('a deposit makes ether: sending one needs a key with the role admin'),
        })
      network.url = `${url}/rpc/key-of-an-administrator`
      expect(await failure('eth_sendRawTransaction', raw)).toBeUndefined()
      expect(await receiptOf(hash)).toMatchObject({ status: '0x1' })
    } finally {
      await network.stop()
      network = own
    }
  })
})
