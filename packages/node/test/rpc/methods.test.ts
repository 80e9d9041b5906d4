import { artifacts, deployContract, testAccounts } from '@understudy/testkit'
import fc from 'fast-check'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseEther,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { methods } from '../../src/rpc/methods/index.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
let counter: Address
let reverter: Address
/** The counter was increased in it. */
let hash: Hex
beforeAll(async () => {
  network = await startNetwork()
  counter = await deployContract(network.client, artifacts.Counter, [7n])
  reverter = await deployContract(network.client, artifacts.Reverter)
  const data = encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'increment' })
  hash = await call('eth_sendTransaction', {
    from: alice,
    to: counter,
    data,
    accessList: [{ address: counter, storageKeys: [word(0n)] }],
  })
})
afterAll(() => network.stop())

const [alice, bob] = [
  testAccounts[0].address.toLowerCase() as Address,
  testAccounts[1].address.toLowerCase() as Address,
]
const stranger = '0x00000000000000000000000000000000000000aa'
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

type Response = { result?: unknown; error?: { code: number; message: string; data?: unknown } }

async function post(method: string, params: unknown): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(network.url, { method: 'POST', body })
  return (await response.json()) as Response
}
const call = async <T = unknown>(method: string, ...params: unknown[]): Promise<T> => {
  const { result, error } = await post(method, params)
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result as T
}
const failure = async (method: string, ...params: unknown[]) => (await post(method, params)).error

/** The schema that the reference shows for the result of a method. */
const resultSchema = (name: string) => {
  const method = methods.find((each) => each.name === name)
  if (!method) throw new Error(`there is no ${name}`)
  return method.result
}

describe('blocks, transactions, receipts and logs', () => {
  const hex32 = expect.stringMatching(/^0x[\da-f]{64}$/)
  const quantity = expect.stringMatching(/^0x(0|[1-9a-f][\da-f]*)$/)
  const bloom = expect.stringMatching(/^0x[\da-f]{512}$/)

  it('are shaped as Ethereum specifies', async () => {
    const transaction = await call<Record<string, Hex>>('eth_getTransactionByHash', hash)
    const { blockHash, blockNumber, blockTimestamp } = transaction
    expect(transaction).toEqual({
      type: '0x2',
      hash,
      blockHash: hex32,
      blockNumber: quantity,
      blockTimestamp: quantity,
      transactionIndex: '0x0',
      from: alice,
      to: counter.toLowerCase(),
      nonce: quantity,
      gas: quantity,
      value: '0x0',
      input: encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'increment' }),
      gasPrice: quantity,
      maxFeePerGas: quantity,
      maxPriorityFeePerGas: quantity,
      chainId: '0x7a69',
      accessList: [{ address: counter.toLowerCase(), storageKeys: [word(0n)] }],
      v: expect.stringMatching(/^0x[01]$/),
      yParity: transaction.v,
      r: quantity,
      s: quantity,
    })

    const log = {
      address: counter.toLowerCase(),
      topics: [keccak256('0x496e6372656173656428616464726573732c75696e7432353629'), word(BigInt(alice))],
      data: word(8n),
      blockHash,
      blockNumber,
      blockTimestamp,
      transactionHash: hash,
      transactionIndex: '0x0',
      logIndex: '0x0',
      removed: false,
    }
    const receipt = await call<Record<string, unknown>>('eth_getTransactionReceipt', hash)
    expect(receipt).toEqual({
      type: '0x2',
      status: '0x1',
      transactionHash: hash,
      transactionIndex: '0x0',
      blockHash,
      blockNumber,
      from: alice,
      to: counter.toLowerCase(),
      contractAddress: null,
      cumulativeGasUsed: quantity,
      gasUsed: receipt.cumulativeGasUsed,
      effectiveGasPrice: transaction.gasPrice,
      logs: [log],
      logsBloom: bloom,
    })
    expect(await call('eth_getLogs', { blockHash })).toEqual([log])

    const block = await call<Record<string, unknown>>('eth_getBlockByHash', blockHash, true)
    expect(block).toEqual({
      hash: blockHash,
      parentHash: hex32,
      sha3Uncles: hex32,
      miner: expect.stringMatching(/^0x[\da-f]{40}$/),
      stateRoot: hex32,
      transactionsRoot: hex32,
      receiptsRoot: hex32,
      logsBloom: receipt.logsBloom,
      difficulty: '0x0',
      number: blockNumber,
      gasLimit: quantity,
      gasUsed: receipt.gasUsed,
      timestamp: blockTimestamp,
      extraData: expect.stringMatching(/^0x/),
      mixHash: hex32,
      nonce: '0x0000000000000000',
      baseFeePerGas: quantity,
      withdrawalsRoot: hex32,
      withdrawals: [],
      blobGasUsed: '0x0',
      excessBlobGas: quantity,
      parentBeaconBlockRoot: hex32,
      requestsHash: hex32,
      size: quantity,
      uncles: [],
      transactions: [transaction],
    })
    expect(await call('eth_getBlockByNumber', blockNumber, false)).toEqual({ ...block, transactions: [hash] })
    expect(await call('eth_getBlockReceipts', blockNumber)).toEqual([receipt])
    expect(await call('eth_getBlockReceipts', { blockHash })).toEqual([receipt])
    expect(await call('eth_getTransactionByBlockHashAndIndex', blockHash, '0x0')).toEqual(transaction)
    expect(await call('eth_getTransactionByBlockNumberAndIndex', blockNumber, 0)).toEqual(transaction)
    expect(await call('eth_getBlockTransactionCountByHash', blockHash)).toBe('0x1')
    expect(await call('eth_getBlockTransactionCountByNumber', blockNumber)).toBe('0x1')
  })

  it('are null when there are none', async () => {
    const none = word(1n)
    expect(await call('eth_getTransactionByHash', none)).toBeNull()
    expect(await call('eth_getTransactionReceipt', none)).toBeNull()
    expect(await call('eth_getBlockByHash', none, true)).toBeNull()
    expect(await call('eth_getBlockByNumber', '0xffffff', true)).toBeNull()
    expect(await call('eth_getBlockReceipts', '0xffffff')).toBeNull()
    expect(await call('eth_getBlockTransactionCountByHash', none)).toBeNull()
    expect(await call('eth_getBlockTransactionCountByNumber', '0xffffff')).toBeNull()
    expect(await call('eth_getTransactionByBlockHashAndIndex', none, '0x0')).toBeNull()
    expect(await call('eth_getTransactionByBlockNumberAndIndex', 'latest', '0xffffffffffffffff')).toBeNull()
  })

  it('show what each type of transaction has', async () => {
    const send = async (request: object) => {
      const sent = await network.client.sendTransaction({ to: bob, value: 1n, ...request } as never)
      return {
        transaction: await call<Record<string, unknown>>('eth_getTransactionByHash', sent),
        receipt: await call<Record<string, unknown>>('eth_getTransactionReceipt', sent),
      }
    }
    const legacy = await send({ type: 'legacy' })
    expect(legacy.transaction).toMatchObject({
      type: '0x0',
      chainId: '0x7a69',
      v: expect.stringMatching(/^0xf4f[56]$/),
    })
    for (const field of ['yParity', 'accessList', 'maxFeePerGas']) expect(legacy.transaction).not.toHaveProperty(field)
    expect(legacy.receipt).toMatchObject({ type: '0x0', effectiveGasPrice: legacy.transaction.gasPrice })

    const listed = await send({ type: 'eip2930', accessList: [{ address: stranger, storageKeys: [word(2n)] }] })
    expect(listed.transaction).toMatchObject({
      type: '0x1',
      accessList: [{ address: stranger, storageKeys: [word(2n)] }],
      yParity: listed.transaction.v,
    })
    expect(listed.transaction).not.toHaveProperty('maxFeePerGas')

    const authorization = await network.client.signAuthorization({
      account: testAccounts[1],
      contractAddress: counter,
      nonce: 0,
    } as never)
    const { r, s, yParity, nonce } = authorization as { r: Hex; s: Hex; yParity: number; nonce: number }
    const delegated = await send({ authorizationList: [authorization] })
    expect(delegated.transaction).toMatchObject({
      type: '0x4',
      authorizationList: [
        {
          chainId: '0x7a69',
          address: counter.toLowerCase(),
          nonce: `0x${nonce.toString(16)}`,
          yParity: `0x${yParity}`,
          r: `0x${BigInt(r).toString(16)}`,
          s: `0x${BigInt(s).toString(16)}`,
        },
      ],
    })
    expect(await call('eth_getCode', bob)).toBe(`0xef0100${counter.slice(2).toLowerCase()}`)
  })
})

describe('eth_getLogs', () => {
  it('finds by range, address and topic; one that ends after the head or is turned around is wrong', async () => {
    const all = await call<{ topics: Hex[] }[]>('eth_getLogs', {
      fromBlock: 'earliest',
      toBlock: 'latest',
      address: [counter],
    })
    expect(all.length).toBeGreaterThan(0)
    const topic = all[0]?.topics[1]
    expect(await call('eth_getLogs', { fromBlock: '0x0', topics: [null, [topic, word(5n)]] })).toEqual(all)
    expect(await call('eth_getLogs', { fromBlock: '0x0', topics: [null, word(5n)] })).toEqual([])
    expect(await call('eth_getLogs', { fromBlock: '0x0', address: stranger })).toEqual([])
    expect(await call('eth_getLogs', { fromBlock: '0xffffff' })).toEqual([])
    expect(await failure('eth_getLogs', { fromBlock: '0x0', toBlock: '0xffffff' })).toMatchObject({
      code: -32602,
      message: expect.stringContaining('the block range extends beyond the head'),
    })
    expect(await failure('eth_getLogs', { fromBlock: '0x2', toBlock: '0x1' })).toMatchObject({
      code: -32602,
      message: 'invalid params: params[0].fromBlock: is block 2, after toBlock, which is 1',
    })
    expect(await failure('eth_getLogs', { blockHash: word(1n) })).toEqual({
      code: -32001,
      message: expect.stringContaining('header not found'),
    })
  })
})

describe('eth_call', () => {
  const read = { to: '', data: encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'number' }) }
  beforeAll(() => {
    read.to = counter
  })

  it('sees the overrides of state and block that it is given, and no other call does', async () => {
    const now = await call('eth_call', read, 'latest')
    expect(await call('eth_call', read, 'latest', { [counter]: { stateDiff: { [word(0n)]: word(99n) } } })).toBe(
      word(99n),
    )
    expect(await call('eth_call', read, 'latest', { [counter]: { state: {} } })).toBe(word(0n))
    const timestampCode = '0x4260005260206000f3'
    expect(
      await call('eth_call', { to: stranger }, 'latest', { [stranger]: { code: timestampCode } }, { time: '0x77' }),
    ).toBe(word(0x77n))
    expect(await call('eth_call', read, null, null)).toBe(now)
  })

  it('answers a revert as tools expect it', async () => {
    const data = encodeFunctionData({ abi: artifacts.Reverter.abi, functionName: 'withReason', args: ['not today'] })
    const reason = `0x08c379a0${encodeAbiParameters([{ type: 'string' }], ['not today']).slice(2)}`
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_sendTransaction'])
      expect(await failure(method, { from: alice, to: reverter, data })).toEqual({
        code: 3,
        message: 'execution reverted: not today',
        data: reason,
      })
    const nothing = encodeFunctionData({ abi: artifacts.Reverter.abi, functionName: 'withNothing' })
    expect(await failure('eth_call', { to: reverter, data: nothing })).toEqual({
      code: 3,
      message: 'execution reverted',
      data: '0x',
    })
  })

  it('names a block that does not exist', async () => {
    expect(await failure('eth_call', read, '0xffffff')).toMatchObject({
      code: -32001,
      message: expect.stringContaining('block 16777215 does not exist'),
    })
    expect(await failure('eth_call', read, { blockHash: word(1n) })).toMatchObject({ code: -32001 })
  })
})

describe('state writes', () => {
  it('set a balance in any notation, and answer it in decimal digits', async () => {
    for (const [given, wei] of [
      ['1000', '1000'],
      ['0x10', '16'],
      [5, '5'],
      ['0', '0'],
      [(2n ** 256n - 1n).toString(), (2n ** 256n - 1n).toString()],
    ] as const) {
      expect(await call('dev_setBalance', stranger.toUpperCase().replace('0X', '0x'), given)).toEqual({
        address: stranger,
        balance: wei,
      })
      expect(BigInt(await call<Hex>('eth_getBalance', stranger))).toBe(BigInt(wei))
    }
  })

  it('add to a balance, but not beyond what it can hold', async () => {
    await call('dev_setBalance', stranger, '1')
    expect(await call('dev_addBalance', stranger, '0x2')).toEqual({ address: stranger, balance: '3' })
    expect(await failure('dev_addBalance', stranger, (2n ** 256n - 1n).toString())).toMatchObject({ code: -32602 })
    expect(await call('eth_getBalance', stranger)).toBe('0x3')
  })

  it('set a nonce, code and storage', async () => {
    expect(await call('dev_setNonce', stranger, '0x7')).toEqual({ address: stranger, nonce: '7' })
    expect(await call('eth_getTransactionCount', stranger)).toBe('0x7')
    expect(await call('eth_getTransactionCount', stranger, 'pending')).toBe('0x7')
    expect(await call('dev_setCode', stranger, '0x60016000f3')).toEqual({ address: stranger })
    expect(await call('eth_getCode', stranger)).toBe('0x60016000f3')
    for (const slot of ['10', 10, '0xa', word(10n)]) {
      expect(await call('dev_setStorageAt', stranger, slot, word(5n))).toEqual({ address: stranger, slot: word(10n) })
      expect(await call('eth_getStorageAt', stranger, '0xa')).toBe(word(5n))
    }
    expect(await call('eth_getStorageAt', stranger, '0x10')).toBe(word(0n))
  })

  it.each([
    ['dev_setBalance', [stranger, '-1'], 'params[1] (amount)'],
    ['dev_setBalance', [stranger, '1.5'], 'params[1] (amount)'],
    ['dev_setBalance', [stranger, 2 ** 53], 'params[1] (amount)'],
    ['dev_setBalance', [stranger, `0x1${'0'.repeat(64)}`], 'params[1] (amount)'],
    ['dev_setBalance', [stranger], 'params[1] (amount)'],
    ['dev_setBalance', [stranger, '1', '2'], 'params'],
    ['dev_setBalance', ['0x12', '1'], 'params[0] (address)'],
    ['dev_setNonce', [stranger, (2n ** 64n - 1n).toString()], 'params[1] (nonce)'],
    ['dev_setCode', [stranger, '0x123'], 'params[1] (bytecode)'],
    ['dev_setCode', [stranger, '6001'], 'params[1] (bytecode)'],
    ['dev_setStorageAt', [stranger, '0x0', `0x${'00'.repeat(31)}`], 'params[2] (value)'],
    ['dev_setStorageAt', [stranger, '0x0', 1], 'params[2] (value)'],
    ['dev_setStorageAt', [stranger, `0x${'00'.repeat(33)}`, word(0n)], 'params[1] (slot)'],
    ['dev_setStorageAt', [stranger, 'ten', word(0n)], 'params[1] (slot)'],
    ['dev_impersonateAccount', ['vitalik.eth'], 'params[0] (address)'],
    ['eth_getBalance', [stranger, 'newest'], 'params[1] (block)'],
    ['eth_feeHistory', [1, 'latest', [50, 20]], 'params[2] (rewardPercentiles)'],
    ['eth_feeHistory', [1, 'latest', [101]], 'params[2][0]'],
    ['eth_sendTransaction', [{ from: '0x12' }], 'params[0].from'],
    ['eth_sendTransaction', [{ from: alice, chainId: 5 }], 'params[0].chainId'],
    ['eth_sendRawTransaction', ['0x123'], 'params[0] (transaction)'],
    ['evm_mine', [{ blocks: 10 ** 9 }], 'params[0].blocks'],
    ['evm_mine', [{ bloks: 1 }], 'params[0].bloks'],
    ['evm_setAutomine', ['yes'], 'params[0] (enabled)'],
  ])('and others refuse bad input by name: %s %j', async (method, params, field) => {
    const error = await failure(method, ...params)
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(`invalid params: ${field}`) })
    // Test suites of clients compare whole errors of the methods that every node has.
    const data = method.startsWith('eth_') ? undefined : expect.objectContaining({ kind: 'INVALID_PARAMS', field })
    expect(error.data).toEqual(data)
  })
})

describe('transactions that are sent in other ways', () => {
  const account = testAccounts[2]
  const from = account.address.toLowerCase()
  const target = '0x00000000000000000000000000000000000000c2'
  const sign = async (nonce: number, value = 1n, gasPrice = 3_000_000_000n) =>
    account.signTransaction({ to: target, value, nonce, gas: 21_000n, gasPrice, chainId: 31337 })
  const nonceOf = () => network.client.getTransactionCount({ address: account.address })

  it('are run as a bundle, and are not sent', async () => {
    const nonce = await nonceOf()
    const txs = [await sign(nonce, 5n), await sign(nonce + 1, 6n)]
    type Bundle = {
      results: { gasFees: string; coinbaseDiff: string; value: string }[]
      gasFees: string
      bundleHash: Hex
    }
    const bundle = await call<Bundle>('eth_callBundle', { txs, blockNumber: '0x99', stateBlockNumber: 'latest' })
    expect(resultSchema('eth_callBundle').safeParse(bundle).error).toBeUndefined()
    const hashes = txs.map((raw) => keccak256(raw))
    expect(bundle).toMatchObject({
      totalGasUsed: 42_000,
      ethSentToCoinbase: '0',
      bundleHash: keccak256(`0x${hashes.map((hash) => hash.slice(2)).join('')}`),
      results: hashes.map((txHash) => ({ txHash, fromAddress: from, toAddress: target, gasUsed: 21_000, value: '0x' })),
    })
    const [first, second] = bundle.results.map(({ gasFees }) => BigInt(gasFees))
    expect((first ?? 0n) + (second ?? 0n)).toBe(BigInt(bundle.gasFees))
    const coinbase = await call('eth_callBundle', { txs: txs.slice(0, 1), coinbase: target })
    expect(coinbase).toMatchObject({ ethSentToCoinbase: '5' })
    expect(await nonceOf()).toBe(nonce)
    expect(await failure('eth_callBundle', { txs: [await sign(nonce + 5)] })).toMatchObject({
      message: expect.stringContaining('nonce'),
    })
    expect(await failure('eth_callBundle', { txs: [] })).toMatchObject({ code: -32602 })
  })

  it('are accepted on a condition', async () => {
    const raw = await sign(await nonceOf())
    const slots = (value: string) => ({ knownAccounts: { [counter]: { '0x0': value } } })
    const refused = [
      { blockNumberMin: '0xffffff' },
      { blockNumberMax: '0x0' },
      { timestampMin: '0xffffffffff' },
      { timestampMax: '0x1' },
      slots('0x1234'),
    ]
    for (const conditions of refused)
      expect(await failure('eth_sendRawTransactionConditional', raw, conditions)).toMatchObject({ code: -32003 })
    expect(
      await failure('eth_sendRawTransactionConditional', raw, { knownAccounts: { [counter]: word(1n) } }),
    ).toMatchObject({ code: -32602 })
    const number = await call<Hex>('eth_getStorageAt', counter, '0x0')
    const conditions = { blockNumberMax: '0xffffff', ...slots(number) }
    expect(await call('eth_sendRawTransactionConditional', raw, conditions)).toBe(keccak256(raw))
  })

  it('are replaced while they wait, and found by their sender and nonce', async () => {
    const nonce = word(BigInt(await nonceOf())).replace(/^0x0+(?=.)/, '0x')
    await call('dev_setMiningMode', 'manual')
    const request = { from: account.address, to: target, value: '0x7', nonce, gas: '0x5208', gasPrice: '0xb2d05e00' }
    const first = await call('eth_sendTransaction', request)
    expect(await call('eth_getTransactionBySenderAndNonce', from, nonce)).toMatchObject({ hash: first })
    const other = { ...request, value: '0x8' }
    expect(await failure('eth_resend', other, '0x12a05f200')).toMatchObject({
      message: expect.stringContaining('pending'),
    })
    const hash = await call<Hex>('eth_resend', request, '0x12a05f200', '0x7530')
    expect(await call('eth_pendingTransactions')).toMatchObject([{ hash, gasPrice: '0x12a05f200', gas: '0x7530' }])
    await call('evm_mine')
    await call('dev_setMiningMode', 'instant')
    expect(await call('eth_getTransactionBySenderAndNonce', from, nonce)).toEqual(
      await call('eth_getTransactionByHash', hash),
    )
    expect(await call('eth_getTransactionBySenderAndNonce', from, '0xffff')).toBeNull()
  })
})

describe('impersonation', () => {
  const wealthy = '0x00000000000000000000000000000000000000f0'

  it('lets an address send without a signature while it lasts', async () => {
    await call('dev_setBalance', wealthy, parseEther('1').toString())
    expect(await failure('eth_sendTransaction', { from: wealthy, to: bob, value: '0x1' })).toMatchObject({
      code: -32003,
      data: { kind: 'NOT_IMPERSONATED', address: wealthy },
    })
    expect(await call('dev_impersonateAccount', wealthy)).toBe(true)
    expect(await call('dev_getImpersonatedAccounts')).toEqual([wealthy])
    const hash = await call('eth_sendTransaction', { from: wealthy, to: bob, value: '0x1' })
    expect(await call('eth_getTransactionByHash', hash)).toMatchObject({ from: wealthy })
    expect(await call('dev_stopImpersonatingAccount', wealthy)).toBe(true)
    expect(await call('dev_stopImpersonatingAccount', wealthy)).toBe(true)
    expect(await call('dev_getImpersonatedAccounts')).toEqual([])
    expect(await failure('eth_sendTransaction', { from: wealthy, to: bob, value: '0x1' })).toMatchObject({
      code: -32003,
    })
  })
})

describe('signatures', () => {
  it('of messages are those of personal_sign', async () => {
    const signature = await call<Hex>('eth_sign', bob, '0xdeadbeef')
    expect((await recoverMessageAddress({ message: { raw: '0xdeadbeef' }, signature })).toLowerCase()).toBe(bob)
    expect(await failure('eth_sign', stranger, '0x00')).toMatchObject({ code: -32003 })
  })

  it('of typed data follow EIP-712, given as an object or as its JSON', async () => {
    const typedData = {
      types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note' as const,
      domain: { name: 'Example' },
      message: { text: 'hello' },
    }
    const signature = await call<Hex>('eth_signTypedData_v4', bob, typedData)
    expect((await recoverTypedDataAddress({ ...typedData, signature })).toLowerCase()).toBe(bob)
    expect(await call('eth_signTypedData_v4', bob, JSON.stringify(typedData))).toBe(signature)
    expect(await failure('eth_signTypedData_v4', bob, { ...typedData, primaryType: 'Letter' })).toMatchObject({
      code: -32602,
    })
  })
})

describe('mining and time', () => {
  const head = () => call<{ number: Hex; timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)

  it('moves the clock, and answers the whole shift', async () => {
    const first = await call<number>('evm_increaseTime', 1000)
    expect(await call('evm_increaseTime', '0x3e8')).toBe(first + 1000)
    const start = BigInt((await head()).timestamp)
    await call('evm_mine')
    expect(BigInt((await head()).timestamp) - start).toBeGreaterThanOrEqual(2000n)
  })

  it('seals on request', async () => {
    const before = BigInt((await head()).number)
    expect(await call('evm_mine')).toBe('0x0')
    expect(await call('evm_mine', { blocks: 2 })).toBe('0x0')
    expect(await call('anvil_mine', '0x3', '0x64')).toBeNull()
    expect(await call('hardhat_mine')).toBeNull()
    const after = await head()
    expect(BigInt(after.number)).toBe(before + 7n)
    const earlier = await call<{ timestamp: Hex }>('eth_getBlockByNumber', `0x${(before + 5n).toString(16)}`, false)
    const later = await call<{ timestamp: Hex }>('eth_getBlockByNumber', `0x${(before + 6n).toString(16)}`, false)
    expect(BigInt(later.timestamp) - BigInt(earlier.timestamp)).toBe(100n)
  })

  it('goes on from blocks that were sealed an interval apart', async () => {
    await call('anvil_mine', '0x3', '0xe10')
    const last = BigInt((await head()).timestamp)
    await call('evm_increaseTime', 60)
    await call('evm_mine')
    const passed = BigInt((await head()).timestamp) - last
    expect(passed).toBeGreaterThanOrEqual(60n)
    expect(passed).toBeLessThan(120n)
  })

  it('counts a shift from the time of the head, where that is ahead', async () => {
    const { timestamp } = await head()
    await call('dev_setMiningMode', 'manual')
    await call('evm_setTime', Number(timestamp) - 1000)
    await call('evm_increaseTime', 7)
    await call('evm_mine')
    const passed = BigInt((await head()).timestamp) - BigInt(timestamp)
    expect(passed).toBeGreaterThanOrEqual(7n)
    expect(passed).toBeLessThan(60n)
    await call('dev_setMiningMode', 'instant')
  })

  it('gives blocks times that never go back', async () => {
    const times: bigint[] = []
    for (let index = 0; index < 4; index++) {
      await call('evm_mine')
      times.push(BigInt((await head()).timestamp))
    }
    expect(times).toEqual([...times].sort((a, b) => Number(a - b)))
  })

  it('sets the time of the next block', async () => {
    const time = BigInt((await head()).timestamp) + 5000n
    expect(await call('evm_setNextBlockTimestamp', Number(time))).toBeNull()
    await call('evm_mine')
    expect(BigInt((await head()).timestamp)).toBe(time)
    expect(await call('evm_mine', Number(time) + 10)).toBe('0x0')
    expect(BigInt((await head()).timestamp)).toBe(time + 10n)
    expect(await failure('evm_setNextBlockTimestamp', 5)).toMatchObject({ code: -32602 })
  })

  it('lists snapshots by name, until they are reverted', async () => {
    const named = await call('evm_snapshot', 'Before the <b>upgrade</b>')
    const other = await call('evm_snapshot')
    const blockNumber = await call('eth_blockNumber')
    expect((await call<unknown[]>('dev_getSnapshots')).slice(0, 2)).toEqual([
      { id: other, name: null, blockNumber },
      { id: named, name: 'Before the <b>upgrade</b>', blockNumber },
    ])
    await call('evm_revert', named)
    expect(await call<{ id: string }[]>('dev_getSnapshots')).not.toContainEqual(expect.objectContaining({ id: named }))
    await expect(call('evm_snapshot', 'x'.repeat(257))).rejects.toThrow('has more than 256 characters')
  })

  it('goes back to snapshots', async () => {
    await call('dev_setBalance', stranger, '1')
    const snapshot = await call('evm_snapshot')
    const { number } = await head()
    await call('dev_setBalance', stranger, '2')
    await call('evm_mine')
    expect(await call('evm_revert', snapshot)).toBe(true)
    expect(await call('eth_getBalance', stranger)).toBe('0x1')
    expect((await head()).number).toBe(number)
    expect(await call('evm_revert', snapshot)).toBe(false)
    expect(await call('evm_revert', '0xffff')).toBe(false)
  })

  it('switches modes', async () => {
    const mode = async () => (await call<{ mode: string }>('dev_getNetworkInfo')).mode
    expect(await mode()).toBe('instant')
    await call('evm_setAutomine', false)
    expect(await mode()).toBe('manual')
    const hash = await call('eth_sendTransaction', { from: alice, to: bob, value: '0x1' })
    expect(await call('eth_getTransactionByHash', hash)).toMatchObject({
      blockHash: null,
      blockNumber: null,
      transactionIndex: null,
    })
    const sealed = BigInt(await call<Hex>('eth_getTransactionCount', alice, 'latest'))
    expect(BigInt(await call<Hex>('eth_getTransactionCount', alice, 'pending'))).toBe(sealed + 1n)
    await call('evm_setIntervalMining', 0.02)
    expect(await mode()).toBe('interval:0.02')
    await eventually(
      () => call('eth_getTransactionReceipt', hash),
      (receipt) => receipt !== null,
    )
    await call('evm_setIntervalMining', 0)
    expect(await mode()).toBe('manual')
    await call('evm_setAutomine', true)
    expect(await mode()).toBe('instant')
  })
})

describe('every method', () => {
  // The examples change whatever can be changed.
  let others: TestNetwork
  beforeAll(async () => {
    others = network
    network = await startNetwork()
  })
  afterAll(async () => {
    await network.stop()
    network = others
  })

  const good: Record<string, unknown[]> = {
    eth_call: [{ to: stranger }],
    eth_estimateGas: [{ from: alice, to: bob, value: '0x1' }],
    eth_getBlockByNumber: ['latest', true],
    eth_getLogs: [{ fromBlock: '0x0' }],
    eth_getBlockReceipts: ['latest'],
    eth_feeHistory: ['0x5', 'latest', [0, 50, 100]],
    evm_setNextBlockTimestamp: [2_000_000_000],
    evm_revert: ['0xffff'],
    evm_mine: [],
    dev_setBalance: [stranger, '1'],
    anvil_rollback: [0],
    anvil_reorg: [0],
  }
  /** Those that need nothing but the network itself, over HTTP: no entry point, for example. */
  const plain =
    /^(web3|net|eth|evm|anvil)_(?!sendRaw|sendUser|estimateUser|subscribe|getFilter|resend|callBundle)|^dev_(set(Balance|Nonce|Code|StorageAt)|addBalance|.*mpersonat|getNetworkInfo)/

  /** Those that need upstream, or a fork that there is not yet. */
  const unsupported = ['eth_getProof', 'eth_getBlockAccessList', 'anvil_setRpcUrl']

  it.each(unsupported)('%s is refused on a network that forks nothing', async (name) => {
    const example = methods.find((method) => method.name === name)?.example.params ?? []
    expect((await post(name, [...example.slice(0, -1), 'latest'])).error).toMatchObject({ code: -32004 })
  })

  it.each(methods.map(({ name }) => name).filter((name) => plain.test(name) && !unsupported.includes(name)))(
    '%s answers what the reference shows',
    async (name) => {
      const example = methods.find((method) => method.name === name)?.example.params ?? []
      const { result, error } = await post(name, good[name] ?? example)
      expect(error).toBeUndefined()
      expect(resultSchema(name).safeParse(result).error).toBeUndefined()
    },
  )

  it('answers junk with an error of its own, never an internal one, and changes nothing', async () => {
    // The examples leave an interval behind, whose next block would move the head.
    await call('evm_setAutomine', true)
    // A nonce that may not move and a state that may not change; the head may not either.
    const state = async () => [
      await call('eth_blockNumber'),
      await call('eth_getBalance', alice),
      await call('dev_getImpersonatedAccounts'),
    ]
    const before = await state()
    const junk = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(
        stranger,
        word(3n),
        '0x',
        '0x1',
        'latest',
        '-1',
        '0xzz',
        { from: alice, gas: '0x' },
        { blockHash: '0x1' },
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.array(junk, { minLength: 0, maxLength: 4 }),
        async ({ name, role, params }, given) => {
          // Junk that happens to be right would change something: it always has a parameter too many.
          const padded = role === 'read' ? given : [...given, ...Array(Object.keys(params).length + 1).fill(null)]
          const { error } = await post(name, padded)
          if (error) expect([name, padded, error.code]).not.toEqual([name, padded, -32603])
          if (role !== 'read') expect(error).toMatchObject({ code: -32602 })
        },
      ),
      { numRuns: 500 },
    )
    expect(await state()).toEqual(before)
  })
})
