import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { quickDecoderOf } from '../../../shared/codec.ts'
import { wordFromBigint } from '../../../shared/hex.ts'
import { problem } from '../problem.ts'
import { CallRequest, transactionRequest } from './callRequest.ts'

const address = '0x00000000000000000000000000000000000000aa'
const other = '0x00000000000000000000000000000000000000bb'
const word = `0x${'ab'.repeat(32)}` as const
const blobHash = `0x01${'ab'.repeat(31)}` as const

describe('CallRequest', () => {
  it('is decoded, and what is null is left out', () => {
    expect(
      CallRequest.parse({
        from: address.toUpperCase().replace('0X', '0x'),
        to: null,
        gas: '0x5208',
        gasPrice: null,
        maxFeePerGas: 7,
        value: '0x00',
        data: '0xabcd',
        type: '0x2',
        accessList: [{ address, storageKeys: [word] }],
        blobVersionedHashes: [blobHash],
      }),
    ).toEqual({
      from: address,
      gas: 21000n,
      maxFeePerGas: 7n,
      value: 0n,
      data: Uint8Array.of(0xab, 0xcd),
      accessList: [{ address, storageKeys: [word] }],
      blobVersionedHashes: [blobHash],
      type: '0x2',
    })
  })

  it('passes over what clients send beside it, and no other field', () => {
    const fields = { hash: word, blockHash: word, blockNumber: 1, transactionIndex: 0, v: '0x1', yParity: '0x1' }
    const options = { type: '0x2', chain: 'mainnet', hardfork: 'london', common: { customChain: {} } }
    expect(CallRequest.parse({ to: address, ...fields, ...options })).toEqual({ to: address, type: '0x2' })
    const refused = (field: string) => problem(CallRequest, { to: address, [field]: '0x1' })
    expect(refused('vaule')).toBe('.vaule: is not a known field; did you mean value?')
    expect(refused('gaslimit')).toBe('.gaslimit: is not a known field; did you mean gasLimit?')
    expect(refused('feeCurrency')).toBe('.feeCurrency: is not a known field')
    expect(refused('x'.repeat(1_000_000))).toBe(`.${'x'.repeat(100)}: is not a known field`)
    expect(problem(CallRequest, { accessList: [{ address, storageKeys: [], slots: [] }] })).toBe(
      '.accessList[0].slots: is not a known field',
    )
  })

  it('passes over any field that is null, at once and with what it does not decode at once', () => {
    const nothing = { gas: null, blobs: null, blobHashes: null, vaule: null, hash: null }
    expect(CallRequest.parse({ to: address, ...nothing })).toEqual({ to: address })
    expect(CallRequest.parse({ to: address, ...nothing, accessList: [] })).toEqual({ to: address, accessList: [] })
    expect(quickDecoderOf<unknown>(CallRequest)?.({ to: address, ...nothing })).toEqual({ to: address })
  })

  it('takes gasLimit for gas, and both when they agree', () => {
    expect(CallRequest.parse({ gasLimit: '0x10' }).gas).toBe(16n)
    expect(CallRequest.parse({ gasLimit: '0x10', gas: 16 }).gas).toBe(16n)
    expect(problem(CallRequest, { gasLimit: '0x10', gas: '0x11' })).toMatch(/^\.gasLimit: differs from gas/)
  })

  it('takes input for data, and both when they agree', () => {
    expect(CallRequest.parse({ input: '0xAB' }).data).toEqual(Uint8Array.of(0xab))
    expect(CallRequest.parse({ input: '0xAB', data: '0xab' }).data).toEqual(Uint8Array.of(0xab))
    expect(problem(CallRequest, { input: '0xab', data: '0xac' })).toMatch(/^\.input: differs from data/)
  })

  it.each([
    [{ to: '0x12' }, '.to: expected a 20-byte 0x-hex address, got "0x12"'],
    [
      { gas: '0x10000000000000000' },
      '.gas: expected a quantity (0x-hex or decimal digits, at most 8 bytes), got "0x10000000000000000"',
    ],
    [{ value: '-0x1' }, '.value: expected a quantity (0x-hex or decimal digits, at most 32 bytes), got "-0x1"'],
    [{ data: '0xabc' }, '.data: expected 0x-hex bytes (an even number of hex digits), got "0xabc"'],
    [{ gasPrice: 1, maxFeePerGas: 1 }, '.gasPrice: conflicts with maxFeePerGas; pass one of them'],
    [{ gasPrice: 1, maxPriorityFeePerGas: 1 }, '.gasPrice: conflicts with maxPriorityFeePerGas; pass one of them'],
    [
      { blobVersionedHashes: [] },
      '.blobVersionedHashes: expected at least one hash; omit it for a transaction without blobs',
    ],
    [{ blobVersionedHashes: [word] }, '.blobVersionedHashes[0]: is the hash of no blob: it begins with 0x01'],
    [
      { authorizationList: [] },
      '.authorizationList: expected at least one authorization; omit it for a transaction without any',
    ],
    [{ accessList: {} }, '.accessList: expected an array, got an object'],
    [
      { accessList: [{ address, storageKeys: ['0x1'] }] },
      '.accessList[0].storageKeys[0]: expected a 32-byte 0x-hex hash, got "0x1"',
    ],
    ['0x', ': expected an object, got "0x"'],
    [[], ': expected an object, got an array of 0'],
    [undefined, ': expected an object, got nothing'],
  ])('is refused: %j', (input, text) => {
    expect(problem(CallRequest, input)).toBe(text)
  })

  it('is refused with more than a thousand authorizations', () => {
    const authorization = { chainId: '0x1', address: other, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' }
    const authorizationList = Array.from({ length: 1001 }, () => authorization)
    expect(problem(CallRequest, { authorizationList })).toBe('.authorizationList: has more than 1000 authorizations')
    expect(CallRequest.parse({ authorizationList: authorizationList.slice(1) }).authorizationList).toHaveLength(1000)
  })

  it('recovers who signed an authorization, and no signer from an invalid signature', async () => {
    const account = privateKeyToAccount(word as `0x${string}`)
    const { r, s, yParity = 0 } = await account.signAuthorization({ contractAddress: other, chainId: 1, nonce: 3 })
    const signed = { chainId: '0x1', address: other, nonce: '0x3', r, s, yParity }
    const parse = (authorization: object) =>
      CallRequest.parse({ authorizationList: [authorization] }).authorizationList?.[0]
    expect(parse(signed)).toEqual({
      chainId: 1n,
      address: other,
      nonce: 3n,
      r: wordFromBigint(BigInt(r)),
      s: wordFromBigint(BigInt(s)),
      yParity,
      authority: account.address.toLowerCase(),
    })
    expect(parse({ ...signed, nonce: '0x4' })?.authority).not.toBe(account.address.toLowerCase())
    expect(parse({ ...signed, nonce: '0xffffffffffffffff' })?.authority).toBeDefined()
    expect(parse({ ...signed, r: '0x0' })?.authority).toBeUndefined()
    expect(parse({ ...signed, s: `0x${'ff'.repeat(32)}` })?.authority).toBeUndefined()
    expect(parse({ ...signed, yParity: '0x2' })?.authority).toBeUndefined()
  })
})

describe('a request for a transaction', () => {
  const authorizationList = [{ chainId: '0x1', address: other, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' }]
  const [blobVersionedHashes, accessList] = [[blobHash], [{ address, storageKeys: [] }]]
  const typeOf = (input: object) => transactionRequest(CallRequest.parse(input), 1n).type

  it.each([
    [{}, undefined],
    [{ type: '0x0' }, 'legacy'],
    [{ type: '0x00', gasPrice: 1 }, 'legacy'],
    [{ type: 0, accessList: [] }, 'legacy'],
    [{ type: '0x1', gasPrice: 1 }, 'eip2930'],
    [{ type: '0x2', accessList, maxFeePerGas: 1 }, 'eip1559'],
    [{ type: '0x3', blobVersionedHashes }, 'eip4844'],
    [{ type: '0x4', authorizationList }, 'eip7702'],
    [{ type: null, authorizationList }, undefined],
  ])('has the type that it names: %j', (input, type) => expect(typeOf(input)).toBe(type))

  it.each([
    [{ type: '0x3' }, 'params[0].type: is 0x3, but blobs and blobVersionedHashes are missing'],
    [{ type: '0x4' }, 'params[0].type: is 0x4, but authorizationList is missing'],
    [{ type: '0x0', maxFeePerGas: 1 }, 'params[0].type: is 0x0, but transactions of this type have no maxFeePerGas'],
    [{ type: '0x0', accessList }, 'params[0].type: is 0x0, but transactions of this type have no accessList'],
    [
      { type: '0x1', maxPriorityFeePerGas: 1 },
      'params[0].type: is 0x1, but transactions of this type have no maxPriorityFeePerGas',
    ],
    [{ type: '0x2', gasPrice: 1 }, 'params[0].type: is 0x2, but transactions of this type have no gasPrice'],
    [
      { type: '0x2', authorizationList },
      'params[0].type: is 0x2, but transactions of this type have no authorizationList',
    ],
    [
      { type: '0x4', authorizationList, blobVersionedHashes },
      'params[0].type: is 0x4, but transactions of this type have no blobVersionedHashes',
    ],
    [{ type: '0x5' }, 'params[0].type: is "0x5", and none of 0x0, 0x1, 0x2, 0x3, 0x4'],
    [{ type: 'legacy' }, 'params[0].type: is "legacy", and none of 0x0, 0x1, 0x2, 0x3, 0x4'],
    [
      { gasPrice: 1, authorizationList },
      'params[0].gasPrice: conflicts with authorizationList: no type of transaction has both',
    ],
    [
      { blobVersionedHashes, authorizationList },
      'params[0].blobVersionedHashes: conflicts with authorizationList: no type of transaction has both',
    ],
    [{ chainId: 2 }, 'params[0].chainId: is 2, but the chain id of the network is 1'],
  ])('is refused if its type is not that of its fields: %j', (input, text) => expect(() => typeOf(input)).toThrow(text))
})
