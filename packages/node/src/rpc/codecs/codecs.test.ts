import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { firstProblem, formatPath } from '../../shared/codec.ts'
import { wordFromBigint } from '../../shared/hex.ts'
import { BlockNumberOrTag, BlockTag } from './blockTag.ts'
import { CallRequest } from './callRequest.ts'
import { Address, Bytes, BytesAsHex, Hash, Word32 } from './hex.ts'
import { IntervalSeconds } from './interval.ts'
import { LogFilter } from './logFilter.ts'
import { Amount, BlockCount, Nonce, Quantity, Quantity64, Seconds, Slot } from './numbers.ts'
import { BlockOverrides, StateOverrides } from './overrides.ts'
import { TypedData } from './typedData.ts'

/** What is wrong with an input, by the path in it. */
function problem(schema: z.ZodType, input: unknown): string {
  const result = schema.safeParse(input)
  if (result.success) throw new Error(`nothing was wrong: ${String(result.data)}`)
  const { path, text } = firstProblem(result.error, input)
  return `${formatPath(path)}: ${text}`
}

const address = '0x00000000000000000000000000000000000000aa'
const other = '0x00000000000000000000000000000000000000bb'
const word = `0x${'ab'.repeat(32)}`

const hexOf = (max: bigint) => fc.bigInt({ min: 0n, max }).map((value) => [value, `0x${value.toString(16)}`] as const)
/** Things that are no number in any notation. */
const notNumbers = [
  '',
  ' ',
  '0x',
  '0xg',
  '-1',
  '-0x1',
  '1.5',
  '1e3',
  '١',
  null,
  undefined,
  true,
  {},
  [],
  -1,
  1.5,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e300,
]

describe('Address', () => {
  it('is taken in any case, checksum or not, and lowercased', () => {
    expect(Address.parse('0xF39FD6e51aad88F6F4ce6aB8827279cffFb92266')).toBe(
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    )
    expect(Address.parse(`0X${'AA'.repeat(20)}`)).toBe(`0x${'aa'.repeat(20)}`)
  })

  it.each([
    ['0x12', '"0x12"'],
    [address.slice(2), `"${address.slice(2)}"`],
    [`${address}00`, `"${address}00"`],
    [`${address.slice(0, -1)}g`, `"${address.slice(0, -1)}g"`],
    [`${address}\n`, `"${address}\\n"`],
    [5, '5'],
    [null, 'null'],
    [undefined, 'nothing'],
    [[address], 'an array of 1'],
    [{}, 'an object'],
    [`0x${'0'.repeat(500)}`, `"0x${'0'.repeat(38)}"… (502 characters)`],
  ])('is refused: %j', (input, got) => {
    expect(problem(Address, input)).toBe(`: expected a 20-byte 0x-hex address, got ${got}`)
  })
})

describe('words of 32 bytes', () => {
  it('are lowercased as hashes, and numbers as storage values', () => {
    expect(Hash.parse(word.toUpperCase().replace('0X', '0x'))).toBe(word)
    expect(Word32.parse(wordFromBigint(2n ** 256n - 1n))).toBe(2n ** 256n - 1n)
  })

  it.each(['0x', '0x1', word.slice(0, -2), `${word}00`, word.slice(2), 1, `${word.slice(0, -1)}z`])(
    'are refused: %j',
    (input) => {
      expect(problem(Hash, input)).toMatch(/expected a 32-byte 0x-hex hash, got /)
      expect(problem(Word32, input)).toMatch(/expected exactly 32 bytes \(0x and 64 hex digits\), got /)
    },
  )
})

describe('Bytes', () => {
  it('are any hex of even length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const hex = `0x${Buffer.from(bytes).toString('hex')}`
        expect(Bytes.parse(hex)).toEqual(bytes)
        expect(BytesAsHex.parse(hex.toUpperCase())).toBe(hex)
      }),
    )
  })

  it('may be megabytes', () => {
    expect(Bytes.parse(`0x${'ab'.repeat(3_000_000)}`)).toHaveLength(3_000_000)
  })

  it.each([
    '',
    '0',
    'ab',
    '0x1',
    '0xabc',
    '0xzz',
    '0xab ',
    '0xabzz00',
    5,
    null,
    undefined,
    ['0x'],
    `0x${'ab'.repeat(100_000)}zz`,
  ])('are refused: %j', (input) => {
    expect(problem(Bytes, input)).toMatch(/expected 0x-hex bytes \(an even number of hex digits\), got /)
  })
})

describe('Quantity', () => {
  it('is 0x-hex, with leading zeros or without', () => {
    fc.assert(
      fc.property(hexOf(2n ** 256n - 1n), ([value, hex]) => {
        expect(Quantity.parse(hex)).toBe(value)
        expect(Quantity.parse(wordFromBigint(value).toUpperCase().replace('0X', '0x'))).toBe(value)
      }),
    )
  })

  it('is a JSON number too, where that is exact', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(Quantity.parse(value)).toBe(BigInt(value))
      }),
    )
  })

  it.each([...notNumbers, '10', `0x1${'0'.repeat(64)}`])('is refused: %j', (input) => {
    expect(problem(Quantity, input)).toMatch(/^: expected a quantity \(0x-hex, at most 32 bytes\), got /)
  })

  it('has bounds of its own where the protocol has them', () => {
    expect(Quantity64.parse('0xffffffffffffffff')).toBe(2n ** 64n - 1n)
    expect(problem(Quantity64, '0x10000000000000000')).toMatch(/at most 8 bytes/)
    expect(Seconds.parse(1900000000)).toBe(1900000000n)
    expect(problem(Seconds, '0xffffffffffff')).toMatch(
      /^: expected seconds \(0x-hex or a number, at most 1099511627776\)/,
    )
    expect(problem(BlockCount, 1_000_001)).toMatch(/at most 1000000\), got 1000001$/)
  })
})

describe('Amount', () => {
  it('is the same in decimal digits, in hex and as a number', () => {
    fc.assert(
      fc.property(hexOf(2n ** 256n - 1n), ([value, hex]) => {
        expect(Amount.parse(value.toString())).toBe(value)
        expect(Amount.parse(hex)).toBe(value)
        if (value <= Number.MAX_SAFE_INTEGER) expect(Amount.parse(Number(value))).toBe(value)
      }),
    )
    expect(Amount.parse('0010')).toBe(10n)
  })

  it.each([...notNumbers, (2n ** 256n).toString(), `0x${(2n ** 256n).toString(16)}`, '9'.repeat(1_000_000)])(
    'is refused',
    (input) => {
      expect(problem(Amount, input)).toMatch(
        /^: expected an amount in decimal digits or 0x-hex, from 0 to 2\^256-1, got /,
      )
    },
  )
})

describe('Nonce', () => {
  it('is at most 2^64-2', () => {
    expect(Nonce.parse((2n ** 64n - 2n).toString())).toBe(2n ** 64n - 2n)
    expect(problem(Nonce, (2n ** 64n - 1n).toString())).toMatch(
      /^: expected a nonce in decimal digits or 0x-hex, from 0 to 2\^64-2, got /,
    )
    expect(problem(Nonce, '0xffffffffffffffff')).toMatch(/from 0 to 2\^64-2/)
  })
})

describe('Slot', () => {
  it.each([
    ['10', 10n],
    [10, 10n],
    ['0x10', 16n],
    ['0xa', 10n],
    ['0x0a', 10n],
    [word, BigInt(word)],
  ])('%j becomes its 32-byte key', (input, slot) => {
    expect(Slot.parse(input)).toBe(wordFromBigint(slot))
  })

  it.each([...notNumbers, `${word}00`])('is refused: %j', (input) => {
    expect(problem(Slot, input)).toMatch(
      /^: expected a storage slot: a decimal slot number, or 0x-hex of at most 32 bytes, got /,
    )
  })
})

describe('IntervalSeconds', () => {
  it.each([
    [0, 0],
    [0.25, 0.25],
    ['0xc', 12],
    [86_400, 86_400],
  ])('%j is %j', (input, seconds) => expect(IntervalSeconds.parse(input)).toBe(seconds))

  it.each([-1, 86_401, '12', Number.NaN, null])('is refused: %j', (input) => {
    expect(problem(IntervalSeconds, input)).toMatch(/^: expected seconds from 0 to 86400, got /)
  })
})

describe('BlockTag', () => {
  it.each([
    ['latest', 'latest'],
    ['pending', 'pending'],
    ['safe', 'safe'],
    ['finalized', 'finalized'],
    ['earliest', 'earliest'],
    ['0x10', { number: 16n }],
    ['0x010', { number: 16n }],
    [16, { number: 16n }],
    [word, { hash: word }],
    [{ blockNumber: '0x10' }, { number: 16n }],
    [{ blockNumber: 'latest' }, 'latest'],
    [{ blockHash: word }, { hash: word }],
    [{ blockHash: word, requireCanonical: true }, { hash: word }],
  ])('%j is understood', (input, tag) => {
    expect(BlockTag.parse(input)).toEqual(tag)
  })

  it.each([
    'newest',
    '',
    '10',
    '0x',
    '0xzz',
    -1,
    1.5,
    `0x1${'0'.repeat(16)}`,
    {},
    { blockNumber: '10' },
    { blockHash: '0x12' },
    { blockHash: word, blockNumber: '0x1' },
    [],
    true,
  ])('is refused: %j', (input) => {
    expect(problem(BlockTag, input)).toMatch(
      /^: expected a block number \(0x-hex\), a block hash, one of "latest", "pending", "safe", "finalized", "earliest", or an object with blockNumber or blockHash, got /,
    )
  })

  it('is no hash where methods for numbers and for hashes are apart', () => {
    expect(problem(BlockNumberOrTag, word)).toMatch(/^: expected a block number \(0x-hex\) or one of "latest", /)
  })
})

describe('CallRequest', () => {
  it('is decoded, and what is null or unknown is left out', () => {
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
        blobVersionedHashes: [word],
      }),
    ).toEqual({
      from: address,
      gas: 21000n,
      maxFeePerGas: 7n,
      value: 0n,
      data: Uint8Array.of(0xab, 0xcd),
      accessList: [{ address, storageKeys: [word] }],
      blobVersionedHashes: [word],
    })
  })

  it('takes input for data, and both when they agree', () => {
    expect(CallRequest.parse({ input: '0xAB' }).data).toEqual(Uint8Array.of(0xab))
    expect(CallRequest.parse({ input: '0xAB', data: '0xab' }).data).toEqual(Uint8Array.of(0xab))
    expect(problem(CallRequest, { input: '0xab', data: '0xac' })).toMatch(/^\.input: differs from data/)
  })

  it.each([
    [{ to: '0x12' }, '.to: expected a 20-byte 0x-hex address, got "0x12"'],
    [{ gas: '0x10000000000000000' }, '.gas: expected a quantity (0x-hex, at most 8 bytes), got "0x10000000000000000"'],
    [{ value: '-0x1' }, '.value: expected a quantity (0x-hex, at most 32 bytes), got "-0x1"'],
    [{ data: '0xabc' }, '.data: expected 0x-hex bytes (an even number of hex digits), got "0xabc"'],
    [{ gasPrice: 1, maxFeePerGas: 1 }, '.gasPrice: stands beside maxFeePerGas; give one of them'],
    [{ gasPrice: 1, maxPriorityFeePerGas: 1 }, '.gasPrice: stands beside maxPriorityFeePerGas; give one of them'],
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

  it('recovers who signed an authorization, and nobody from a signature that is not valid', async () => {
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
    expect(parse({ ...signed, r: '0x0' })?.authority).toBeUndefined()
    expect(parse({ ...signed, s: `0x${'ff'.repeat(32)}` })?.authority).toBeUndefined()
    expect(parse({ ...signed, yParity: '0x2' })?.authority).toBeUndefined()
  })
})

describe('StateOverrides', () => {
  it('become maps, without the fields that were not given', () => {
    expect(
      StateOverrides.parse({
        [address.toUpperCase().replace('0X', '0x')]: { balance: '0x1', nonce: 2, code: '0x00' },
        [other]: { stateDiff: { '0x1': word, [word]: '0x0' } },
      }),
    ).toEqual(
      new Map<string, unknown>([
        [address, { balance: 1n, nonce: 2n, code: Uint8Array.of(0) }],
        [
          other,
          {
            stateDiff: new Map([
              [wordFromBigint(1n), BigInt(word)],
              [word, 0n],
            ]),
          },
        ],
      ]),
    )
    expect(Object.keys(StateOverrides.parse({ [address]: {} }).get(address) ?? { none: 1 })).toEqual([])
  })

  it.each([
    [{ '0x12': {} }, '.0x12: expected a 20-byte 0x-hex address, got "0x12"'],
    [{ [address]: { balnce: '0x1' } }, `.${address}.balnce: is not a known field`],
    [{ [address]: { balance: 'x' } }, `.${address}.balance: expected a quantity (0x-hex, at most 32 bytes), got "x"`],
    [
      { [address]: { stateDiff: { zz: word } } },
      `.${address}.stateDiff.zz: expected a storage slot: a decimal slot number, or 0x-hex of at most 32 bytes, got "zz"`,
    ],
    [
      { [address]: { state: {}, stateDiff: {} } },
      `.${address}: has both state, which replaces the whole storage, and stateDiff, which replaces single slots; give one`,
    ],
    [[], ': expected an object, got an array of 0'],
  ])('are refused: %j', (input, text) => {
    expect(problem(StateOverrides, input)).toBe(text)
  })
})

describe('BlockOverrides', () => {
  it('take names old and new, and leave out what was not given', () => {
    const overrides = BlockOverrides.parse({
      number: '0x10',
      time: 5,
      feeRecipient: address,
      baseFee: '0x7',
      random: word,
    })
    expect(overrides).toEqual({ number: 16n, timestamp: 5n, coinbase: address, baseFee: 7n, prevRandao: BigInt(word) })
    expect(Object.keys(overrides)).toHaveLength(5)
  })

  it('refuse names that they do not know', () => {
    expect(problem(BlockOverrides, { nubmer: 1 })).toBe('.nubmer: is not a known field')
  })
})

describe('LogFilter', () => {
  it.each([
    [{}, { blocks: { from: 'latest', to: 'latest' }, addresses: undefined, topics: [] }],
    [
      { fromBlock: '0x1', toBlock: 'latest', address, topics: null },
      { blocks: { from: { number: 1n }, to: 'latest' }, addresses: [address], topics: [] },
    ],
    [
      { blockHash: word, address: [address, other], topics: [] },
      { blocks: { hash: word }, addresses: [address, other], topics: [] },
    ],
    [
      { address: [], topics: [null, word, [word], [], [word, null]].slice(0, 4) },
      {
        blocks: { from: 'latest', to: 'latest' },
        addresses: undefined,
        topics: [undefined, [word], [word], undefined],
      },
    ],
    [
      { topics: [[word, null]] },
      { blocks: { from: 'latest', to: 'latest' }, addresses: undefined, topics: [undefined] },
    ],
  ])('%j is understood', (input, query) => {
    expect(LogFilter.parse(input)).toEqual(query)
  })

  it.each([
    [{ address: '0x12' }, '.address: expected a 20-byte 0x-hex address, got "0x12"'],
    [{ address: [address, 5] }, '.address[1]: expected a 20-byte 0x-hex address, got 5'],
    [{ topics: [word, '0x1'] }, '.topics[1]: expected a 32-byte 0x-hex hash, got "0x1"'],
    [{ topics: [[word, '0x1']] }, '.topics[0][1]: expected a 32-byte 0x-hex hash, got "0x1"'],
    [{ topics: [null, null, null, null, null] }, '.topics: has more than the 4 topics that a log can have'],
    [{ topics: word }, `.topics: expected an array, got "${word}"`],
    [
      { fromBlock: 'first' },
      '.fromBlock: expected a block number (0x-hex) or one of "latest", "pending", "safe", "finalized", "earliest", got "first"',
    ],
    [{ blockHash: word, toBlock: '0x1' }, '.blockHash: stands beside fromBlock or toBlock; give one of them'],
  ])('is refused: %j', (input, text) => {
    expect(problem(LogFilter, input)).toBe(text)
  })
})

describe('TypedData', () => {
  const note = {
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'count', type: 'uint8' }] },
    primaryType: 'Note',
    domain: { name: 'Example' },
    message: { count: 1 },
  }

  it('is an object, or its JSON', () => {
    expect(TypedData.parse(note)).toEqual(note)
    expect(TypedData.parse(JSON.stringify(note))).toEqual(note)
  })

  it.each([
    ['{', ': expected an object or its JSON, got "{"'],
    [5, ': expected an object, got 5'],
    [{ ...note, types: undefined }, '.types: expected an object, got nothing'],
    [{ ...note, types: { Note: 'x' } }, '.types.Note: expected an array, got "x"'],
  ])('is refused: %j', (input, text) => {
    expect(problem(TypedData, input)).toBe(text)
  })

  it.each([
    { ...note, primaryType: 'Letter' },
    { ...note, message: { count: 300 } },
    { ...note, message: { count: 'many' } },
    { ...note, types: { ...note.types, Note: [{ name: 'to', type: 'address' }] }, message: { to: '0x12' } },
  ])('is refused with the reason when it cannot be hashed: %j', (input) => {
    expect(problem(TypedData, input)).toMatch(/^: cannot be hashed as EIP-712 data: ./)
  })
})
