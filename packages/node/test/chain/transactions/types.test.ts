import { artifacts, deployContract, testAccounts } from '@understudy/testkit'
import { type Address, type Hex, keccak256, numberToHex, pad, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeTransaction, signTransaction } from '../../../src/ethereum/encodings/encodeTransaction.ts'
import type { TransactionFields } from '../../../src/ethereum/transaction.ts'
import { startNetwork, type TestNetwork } from '../../startNetwork.ts'

let network: TestNetwork
let counter: Address
beforeAll(async () => {
  network = await startNetwork()
  counter = (await deployContract(network.client, artifacts.Counter, [7n])).toLowerCase() as Address
})
afterAll(() => network?.stop())

const keys = testAccounts.map((account) => account.getHdKey().privateKey as Uint8Array)
const [alice, bob, carol] = testAccounts.map(({ address }) => address.toLowerCase()) as [Address, Address, Address]
const rpc = <T = unknown>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
/** The error of a request, as it is answered. */
const failure = async (method: string, ...params: unknown[]) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(network.url, { method: 'POST', body })
  return ((await response.json()) as { error?: { code: number; message: string } }).error
}
const nonceOf = async (address: Address) => BigInt(await rpc<Hex>('eth_getTransactionCount', address, 'latest'))

const fieldsFor = async (from: Address, more: Partial<TransactionFields> = {}): Promise<TransactionFields> => ({
  type: 'eip1559',
  chainId: 31337n,
  nonce: await nonceOf(from),
  to: carol,
  gasLimit: 100_000n,
  value: 0n,
  data: new Uint8Array(),
  maxFeePerGas: 10n ** 10n,
  maxPriorityFeePerGas: 1n,
  accessList: [],
  maxFeePerBlobGas: undefined,
  blobVersionedHashes: undefined,
  authorizationList: undefined,
  ...more,
})
const signed = async (more: Partial<TransactionFields>) =>
  signTransaction(await fieldsFor(alice, more), keys[0] as Uint8Array)
const blobHash: Hex = `0x01${'ab'.repeat(31)}`

describe('a transaction with authorizations', () => {
  it('is refused without any, however it is sent, and leaves no trace', async () => {
    const nonce = await nonceOf(alice)
    const empty = { code: -32000, message: 'EIP-7702 transaction with empty auth list' }
    const raw = await signed({ type: 'eip7702', authorizationList: [] })
    for (const method of ['eth_sendRawTransaction', 'eth_sendRawTransactionSync'])
      expect(await failure(method, raw)).toEqual(empty)
    const given = { code: -32602, message: expect.stringContaining('authorizationList: expected at least one') }
    const missing = {
      code: -32602,
      message: 'invalid params: params[0].type: is 0x4, but authorizationList is missing',
    }
    const request = { from: alice, to: bob, gas: '0x186a0' }
    for (const method of [
      'eth_sendTransaction',
      'eth_sendUnsignedTransaction',
      'eth_sendTransactionSync',
      'eth_fillTransaction',
      'eth_signTransaction',
    ]) {
      expect(await failure(method, { ...request, authorizationList: [] }), method).toMatchObject(given)
      expect(await failure(method, { ...request, type: '0x4', authorizationList: [] }), method).toMatchObject(given)
      expect(await failure(method, { ...request, type: '0x4' }), method).toEqual(missing)
    }
    // As in geth, a call has no type, but its list must not be empty.
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'debug_traceCall']) {
      expect(await failure(method, { ...request, authorizationList: [] }, 'latest', {}), method).toMatchObject(given)
      expect(await failure(method, { ...request, type: '0x4' }, 'latest', {}), method).toBeUndefined()
    }
    expect(await nonceOf(alice)).toBe(nonce)
    expect(await rpc('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  it('creates no contract, and neither does one with blobs', async () => {
    const cannot = (what: string) => ({ code: -32000, message: what })
    const authorization = { chainId: '0x0', address: counter, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' }
    const request = { from: alice, gas: '0x186a0' }
    for (const method of ['eth_sendTransaction', 'eth_fillTransaction', 'eth_signTransaction']) {
      expect(await failure(method, { ...request, authorizationList: [authorization] })).toEqual(
        cannot('EIP-7702 transaction cannot be used to create contract'),
      )
      expect(await failure(method, { ...request, blobVersionedHashes: [blobHash] })).toEqual(
        cannot('blob transaction of type create'),
      )
    }
    const blobs = { type: 'eip4844', maxFeePerBlobGas: 10n ** 10n } as const
    expect(
      await failure(
        'eth_sendRawTransaction',
        await signed({ ...blobs, to: undefined, blobVersionedHashes: [blobHash] }),
      ),
    ).toEqual(cannot('blob transaction of type create'))
    expect(await failure('eth_sendRawTransaction', await signed({ ...blobs, blobVersionedHashes: [] }))).toEqual(
      cannot('blob transaction missing blob hashes'),
    )
    const other: Hex = `0x02${'ab'.repeat(31)}`
    expect(
      await failure('eth_sendRawTransaction', await signed({ ...blobs, blobVersionedHashes: [blobHash, other] })),
    ).toEqual(cannot(`blob has invalid hash version, index 1, hash ${other}`))
    expect(
      await failure(
        'eth_sendRawTransaction',
        await signed({ ...blobs, blobVersionedHashes: Array(10).fill(blobHash) }),
      ),
    ).toEqual(cannot('blob transaction has too many blobs, count 10, max 6'))
  })

  it('delegates the account that a signature is impersonated for, with any v', async () => {
    const forms = [
      [27, 0],
      [28, 1],
      [0, 0],
      [1, 1],
      [27, 27],
      [0, 28 - 1],
    ] as const
    for (const [index, [v, yParity]] of forms.entries()) {
      const chosen: Address = `0x${'7'.repeat(38)}${index + 10}`
      const [r, s] = [`0x${'21'.repeat(31)}${index + 10}`, `0x${'ff'.repeat(32)}`] as const
      await rpc('anvil_impersonateSignature', `${r}${s.slice(2)}${v.toString(16).padStart(2, '0')}`, chosen)
      const authorization = { chainId: 0n, address: counter, nonce: 0n, r, s, yParity, authority: undefined }
      const request = {
        from: alice,
        to: chosen,
        data: '0x8381f58a',
        authorizationList: [{ ...authorization, authority: undefined, chainId: '0x0', nonce: '0x0' }],
      }
      // The code of the counter runs at the address.
      expect(await rpc('eth_call', request, 'latest')).toBe(pad('0x', { size: 32 }))
      const raw = await signed({ type: 'eip7702', authorizationList: [authorization] })
      const hash = await rpc<Hex>('eth_sendRawTransaction', raw)
      expect(await rpc('eth_getCode', chosen, 'latest')).toBe(`0xef0100${counter.slice(2)}`)
      expect(await nonceOf(chosen)).toBe(1n)
      const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
      expect(await rpc('debug_traceTransaction', hash, tracer)).toMatchObject({ post: { [chosen]: { nonce: 1 } } })
    }
    const unknown = {
      chainId: 0n,
      address: counter,
      nonce: 0n,
      r: `0x${'31'.repeat(32)}`,
      s: `0x${'ff'.repeat(32)}`,
    } as const
    const before = await rpc<Hex>('eth_blockNumber')
    await rpc(
      'eth_sendRawTransaction',
      await signed({ type: 'eip7702', authorizationList: [{ ...unknown, yParity: 0, authority: undefined }] }),
    )
    const diff = await rpc<{ result: object }[]>('debug_traceBlockByNumber', numberToHex(BigInt(before) + 1n), {
      tracer: 'prestateTracer',
      tracerConfig: { diffMode: true },
    })
    expect(JSON.stringify(diff)).not.toContain('ef0100')
  })
})

describe('a transaction that names a type', () => {
  it('has that type', async () => {
    const accessList = [{ address: counter, storageKeys: [] }]
    for (const [type, more] of [
      ['0x0', {}],
      ['0x1', {}],
      ['0x1', { accessList }],
      ['0x2', { accessList }],
      ['0x3', { blobVersionedHashes: [blobHash] }],
    ] as const) {
      const { tx } = await rpc<{ tx: object }>('eth_fillTransaction', { from: alice, to: bob, type, ...more })
      expect(tx).toMatchObject({ type })
      const receipt = await rpc('eth_sendTransactionSync', { from: alice, to: bob, type, ...more })
      expect(receipt).toMatchObject({ type, status: '0x1' })
    }
  })

  it('is refused if its fields are of another', async () => {
    for (const method of ['eth_sendTransaction', 'eth_fillTransaction', 'eth_signTransaction'])
      for (const [more, text] of [
        [{ type: '0x3' }, 'params[0].type: is 0x3, but blobs and blobVersionedHashes are missing'],
        [
          { type: '0x0', maxFeePerGas: '0x1' },
          'params[0].type: is 0x0, but transactions of this type have no maxFeePerGas',
        ],
        [{ type: '0x7e' }, 'params[0].type: is "0x7e", and none of 0x0, 0x1, 0x2, 0x3, 0x4'],
      ] as const)
        expect(await failure(method, { from: alice, to: bob, ...more })).toEqual({
          code: -32602,
          message: `invalid params: ${text}`,
        })
  })
})

describe('a raw transaction', () => {
  it('is refused with leading zeros in an integer, and does not get into the pool', async () => {
    const fields = await fieldsFor(alice, { nonce: (await nonceOf(alice)) + 1n, value: 0x1234n, to: undefined })
    const raw = signTransaction({ ...fields, accessList: [] }, keys[0] as Uint8Array)
    // The value has one more byte, and so has the list.
    const length = Number.parseInt(raw.slice(6, 8), 16)
    const longer = `${raw.slice(0, 6)}${(length + 1).toString(16)}${raw.slice(8)}`.replace('821234', '83001234') as Hex
    expect(await failure('eth_sendRawTransaction', longer)).toEqual({
      code: -32000,
      message: 'rlp: cannot decode the transaction: non-canonical integer (leading zero bytes) in value',
    })
    expect(await rpc('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  it('has the hash of its bytes', async () => {
    const raw = await signed({ type: 'legacy', accessList: undefined, maxPriorityFeePerGas: 10n ** 10n })
    expect(await rpc('eth_sendRawTransaction', raw)).toBe(keccak256(raw))
    expect(await rpc('eth_getTransactionByHash', keccak256(raw))).toMatchObject({ from: alice, type: '0x0' })
  })

  it('may have every nonce that an account may have', async () => {
    const last = 2n ** 64n - 2n
    await rpc('dev_setNonce', bob, last.toString())
    const raw = signTransaction(await fieldsFor(bob), keys[1] as Uint8Array)
    const hash = await rpc<Hex>('eth_sendRawTransaction', raw)
    expect(await rpc('eth_getTransactionByHash', hash)).toMatchObject({ nonce: numberToHex(last) })
    expect(await nonceOf(bob)).toBe(last + 1n)
    const over = { code: -32000, message: expect.stringContaining('nonce has max value') }
    expect(
      await failure('eth_sendRawTransaction', signTransaction(await fieldsFor(bob), keys[1] as Uint8Array)),
    ).toMatchObject(over)
    expect(await failure('eth_sendTransaction', { from: bob, to: carol, gas: '0x5208' })).toMatchObject(over)
    await rpc('dev_setNonce', bob, '0xfffffffffffffff0')
    const filled = await rpc<{ tx: object; raw: Hex }>('eth_fillTransaction', { from: bob, to: carol })
    expect(filled.tx).toMatchObject({ nonce: '0xfffffffffffffff0' })
    const receipt = await rpc('eth_sendTransactionSync', { from: bob, to: carol, nonce: '0xfffffffffffffff0' })
    expect(receipt).toMatchObject({ status: '0x1' })
    const impersonated: Address = `0x${'fa'.repeat(20)}`
    await rpc('dev_impersonateAccount', impersonated)
    await rpc('dev_setBalance', impersonated, '1000000000000000000')
    await rpc('dev_setNonce', impersonated, last.toString())
    expect(await rpc('eth_sendTransactionSync', { from: impersonated, to: carol })).toMatchObject({ status: '0x1' })
    // A dump is exact, too.
    const dumped = await rpc('anvil_dumpState')
    await rpc('dev_setNonce', impersonated, '1')
    await rpc('anvil_loadState', dumped)
    expect(await nonceOf(impersonated)).toBe(last + 1n)
    await rpc('dev_setNonce', bob, '100')
  })
})

describe('an account with code', () => {
  const isRefused = { code: -32000, message: expect.stringContaining('sender not an eoa') }

  it('sends nothing that is signed, unless it delegates, but what an impersonated one sends', async () => {
    await rpc('dev_setCode', bob, '0x00')
    const raw = signTransaction(await fieldsFor(bob), keys[1] as Uint8Array)
    expect(await failure('eth_sendRawTransaction', raw)).toMatchObject(isRefused)
    expect(await failure('eth_sendTransaction', { from: bob, to: carol })).toMatchObject(isRefused)
    await rpc('dev_setCode', bob, `0xef0100${counter.slice(2)}`)
    expect(await rpc('eth_sendRawTransaction', raw)).toBe(keccak256(raw))
    expect(await rpc('eth_getTransactionReceipt', keccak256(raw))).toMatchObject({ status: '0x1' })
    await rpc('dev_setBalance', counter, toHex(10n ** 18n))
    await rpc('dev_impersonateAccount', counter)
    expect(await rpc('eth_sendTransactionSync', { from: counter, to: carol })).toMatchObject({ status: '0x1' })
    await rpc('dev_setCode', bob, '0x')
  })

  it('is refused in a block, when it got its code while its transaction waited', async () => {
    await rpc('dev_setMiningMode', 'manual')
    const raw = signTransaction(await fieldsFor(bob), keys[1] as Uint8Array)
    const hash = await rpc<Hex>('eth_sendRawTransaction', raw)
    await rpc('dev_setCode', bob, '0x00')
    await rpc('evm_mine')
    expect(await rpc('eth_getTransactionReceipt', hash)).toBeNull()
    await rpc('dev_setMiningMode', 'instant')
    await rpc('dev_setCode', bob, '0x')
  })
})

it('an unsigned transaction is refused as such', async () => {
  expect(await failure('eth_sendRawTransaction', encodeTransaction(await fieldsFor(alice)))).toEqual({
    code: -32000,
    message: 'invalid transaction v, r, s values: it is not signed',
  })
})
