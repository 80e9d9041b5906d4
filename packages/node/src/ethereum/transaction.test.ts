import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { bytesToHex, type Hex, hexToBytes, keccak256, serializeTransaction, stringToBytes, toHex, toRlp } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { serializeTransaction as serializeDeposit } from 'viem/op-stack'
import { expect, test } from 'vitest'
import { isNetworkError } from '../shared/errors.ts'
import { decodeSent, decodeStoredTransaction, decodeTransaction } from './decodeTransaction.ts'
import { encodeTransaction, signTransaction } from './encodings/encodeTransaction.ts'
import { encodeTransactionFields } from './encodings/rebuilt.ts'
import type { SignedType, Transaction, TransactionFields } from './transaction.ts'

const to = '0x00000000000000000000000000000000000000aa'
const hash = keccak256('0x01')
const authorization = {
  chainId: 1n,
  address: to,
  nonce: 2n ** 64n - 2n,
  r: hash,
  s: `0x${'07'.repeat(32)}`,
  yParity: 1,
  authority: undefined,
} as const

test('a raw transaction with very many items is refused before it is decoded', () => {
  const withLists = (count: number): Hex => {
    const accessList = Array.from({ length: count }, () => [to, []])
    const fields = ['0x01', '0x', '0x01', '0x02', '0x5208', to, '0x', '0x'] as const
    return `0x02${toRlp([...fields, accessList as never, '0x01', hash, '0x01']).slice(2)}`
  }
  const oversized = /^oversized data: the transaction and its lists have more than 10000 RLP items$/
  expect(decodeTransaction(withLists(3000)).accessList).toHaveLength(3000)
  for (const count of [3400, 100_000]) expect(() => decodeTransaction(withLists(count))).toThrow(oversized)
  expect(() => decodeTransaction(`0x${'c0'.repeat(1_000_000)}`)).toThrow(oversized)
})

const fieldsOf = (type: SignedType, more: Partial<TransactionFields> = {}): TransactionFields => ({
  type,
  chainId: 31337n,
  nonce: 300n,
  to,
  gasLimit: 90_000n,
  value: 128n,
  data: hexToBytes('0x7f'),
  maxFeePerGas: 10n ** 10n,
  maxPriorityFeePerGas: type === 'legacy' || type === 'eip2930' ? 10n ** 10n : 1n,
  accessList: type === 'legacy' ? undefined : [{ address: to, storageKeys: [hash, `0x${'00'.repeat(32)}`] }],
  maxFeePerBlobGas: type === 'eip4844' ? 1n : undefined,
  blobVersionedHashes: type === 'eip4844' ? [`0x01${hash.slice(4)}`] : undefined,
  authorizationList: type === 'eip7702' ? [authorization] : undefined,
  ...more,
})

const transactions: TransactionFields[] = [
  fieldsOf('legacy'),
  fieldsOf('legacy', { chainId: undefined, nonce: 0n, value: 0n, data: new Uint8Array() }),
  fieldsOf('legacy', { chainId: 2n ** 63n }),
  fieldsOf('eip2930', { to: undefined, accessList: [] }),
  fieldsOf('eip2930'),
  fieldsOf('eip1559', { accessList: [], nonce: 2n ** 53n - 1n, value: 2n ** 256n - 1n }),
  fieldsOf('eip1559', { data: hexToBytes(`0x${'60'.repeat(300)}`) }),
  fieldsOf('eip4844'),
  fieldsOf('eip7702'),
]

/** A transaction as viem takes it: with numbers that are exact up to 2^53. */
const forViem = ({ maxFeePerGas, maxPriorityFeePerGas, gasLimit, data, ...fields }: TransactionFields) => ({
  ...fields,
  chainId: fields.chainId === undefined ? undefined : Number(fields.chainId),
  nonce: Number(fields.nonce),
  gas: gasLimit,
  data: bytesToHex(data),
  authorizationList: fields.authorizationList?.map((each) => ({ ...each, chainId: 1, nonce: Number(each.nonce) })),
  ...(fields.type === 'legacy' || fields.type === 'eip2930'
    ? { gasPrice: maxFeePerGas }
    : { maxFeePerGas, maxPriorityFeePerGas }),
})

const keys = Array.from({ length: 5 }, (_, index) => keccak256(stringToBytes(`key ${index}`), 'bytes'))

test.each(transactions)("encodes and signs a transaction of type $type as viem's accounts do", async (fields) => {
  const exact = fieldsOf(fields.type, {
    ...fields,
    ...(fields.authorizationList && { authorizationList: [{ ...authorization, nonce: 7n }] }),
  })
  // viem rounds larger chain ids.
  if ((fields.chainId ?? 0n) < 2n ** 53n)
    for (const key of keys)
      expect(signTransaction(exact, key)).toBe(
        await privateKeyToAccount(toHex(key)).signTransaction(forViem(exact) as never),
      )
  expect(encodeTransaction(exact)).toBe(
    (fields.chainId ?? 0n) < 2n ** 53n ? serializeTransaction(forViem(exact) as never) : encodeTransaction(exact),
  )
})

test.each(transactions)('decodes a transaction of type $type to what was signed, and its signer', (fields) => {
  for (const key of keys) {
    const raw = signTransaction(fields, key)
    const { from, signature, hash: decodedHash, authorizationList, ...decoded } = decodeTransaction(raw)
    const { authorizationList: list, ...rest } = fields
    expect({ from, hash: decodedHash, ...decoded }).toEqual({
      ...rest,
      raw,
      from: privateKeyToAccount(toHex(key)).address.toLowerCase(),
      hash: keccak256(raw),
    })
    expect(authorizationList?.map((each) => ({ ...each, authority: undefined }))).toEqual(list)
  }
})

test('nonces, chain ids and amounts are exact to their last bit', () => {
  const fields = fieldsOf('eip1559', { nonce: 2n ** 64n - 2n, chainId: 2n ** 64n - 1n, gasLimit: 2n ** 64n - 1n })
  expect(decodeTransaction(signTransaction(fields, keys[0] as Uint8Array))).toMatchObject({
    nonce: 2n ** 64n - 2n,
    chainId: 2n ** 64n - 1n,
    gasLimit: 2n ** 64n - 1n,
  })
})

type Item = Uint8Array | Item[]
const itemsOf = (raw: Hex): { type: number[]; items: Item[] } => {
  const bytes = hexToBytes(raw)
  const type = (bytes[0] ?? 0) < 0x80 ? [bytes[0] ?? 0] : []
  return { type, items: RLP.decode(bytes.slice(type.length)) as Item[] }
}
const rawOf = (type: number[], items: Item[]): Hex => bytesToHex(new Uint8Array([...type, ...RLP.encode(items)]))
/** The paths of all parts of a transaction: the indexes that lead to bytes or to a list. */
function pathsOf(item: Item, path: number[] = []): number[][] {
  if (item instanceof Uint8Array) return [path]
  return [path, ...item.flatMap((inner, index) => pathsOf(inner, [...path, index]))]
}
const at = (items: Item, path: readonly number[]): Item | undefined =>
  path.reduce<Item | undefined>((item, index) => (Array.isArray(item) ? item[index] : undefined), items)
function changed(items: Item, [index, ...rest]: readonly number[], change: (item: Item) => Item): Item {
  if (index === undefined) return change(items)
  return (items as Item[]).map((item, path) => (path === index ? changed(item, rest, change) : item))
}

/** The paths of whole numbers, by type: of authorizations too. */
const numberPaths: Record<SignedType, number[][]> = {
  legacy: [[0], [1], [2], [4], [6], [7], [8]],
  eip2930: [[0], [1], [2], [3], [5], [8], [9], [10]],
  eip1559: [[0], [1], [2], [3], [4], [6], [9], [10], [11]],
  eip4844: [[0], [1], [2], [3], [4], [6], [9], [11], [12], [13]],
  eip7702: [[0], [1], [2], [3], [4], [6], [9, 0, 0], [9, 0, 2], [9, 0, 3], [9, 0, 4], [9, 0, 5], [10], [11], [12]],
}

test.each(transactions)('refuses integers with leading zeros in every field of type $type', (fields) => {
  const { type, items } = itemsOf(signTransaction(fields, keys[0] as Uint8Array))
  for (const path of numberPaths[fields.type]) {
    const number = at(items, path) as Uint8Array
    const padded = changed(items, path, () => new Uint8Array([0, ...number])) as Item[]
    expect(() => decodeTransaction(rawOf(type, padded))).toThrow(
      /^rlp: cannot decode the transaction: non-canonical integer \(leading zero bytes\) in \w+/,
    )
  }
})

test.each(transactions)('refuses keys and addresses of other lengths in type $type', (fields) => {
  const { type, items } = itemsOf(signTransaction(fields, keys[0] as Uint8Array))
  for (const path of pathsOf(items)) {
    const item = at(items, path)
    const isFixed = item instanceof Uint8Array && (item.length === 20 || item.length === 32)
    if (!isFixed || numberPaths[fields.type].some((number) => String(number) === String(path))) continue
    for (const other of [item.slice(1), new Uint8Array([...item, 1])])
      expect(() => decodeTransaction(rawOf(type, changed(items, path, () => other) as Item[]))).toThrow(
        /^rlp: cannot decode the transaction: .* has \d+ bytes instead of (20|32)$/,
      )
  }
})

const depositFields = {
  type: 'deposit',
  sourceHash: hash,
  from: to,
  to: `0x${'bb'.repeat(20)}`,
  mint: 300n,
  value: 128n,
  gas: 90_000n,
  isSystemTx: false,
  data: '0x7f80',
} as const
const rawDeposit = (more: Record<string, unknown> = {}): Hex => serializeDeposit({ ...depositFields, ...more } as never)

test('decodes a deposit as viem encodes it, which is not signed and has no nonce', () => {
  const raw = rawDeposit()
  const decoded = decodeSent(raw).transaction
  expect(decoded).toMatchObject({
    type: 'deposit',
    deposit: { sourceHash: hash, mint: 300n },
    ...{ from: to, to: depositFields.to, value: 128n, gasLimit: 90_000n, nonce: 0n, chainId: undefined },
    ...{ maxFeePerGas: 0n, hash: keccak256(raw), raw },
  })
  expect(toHex(decoded.data)).toBe('0x7f80')
  expect(decodeSent(rawDeposit({ to: undefined, mint: undefined })).transaction).toMatchObject({
    to: undefined,
    deposit: { mint: 0n },
  })
  expect(decodeStoredTransaction({ raw, sender: to, depositNonce: 7n })).toEqual({ ...decoded, nonce: 7n })
})

test('refuses a deposit that is encoded in another way, naming the field', () => {
  const refused = (change: (items: Item[]) => unknown) => {
    const { items } = itemsOf(rawDeposit())
    change(items)
    return () => decodeSent(rawOf([0x7e], items))
  }
  const system = 'system transaction not supported: isSystemTx must be false since Regolith'
  expect(() => decodeSent(rawDeposit({ isSystemTx: true }))).toThrow(system)
  const cannot = 'rlp: cannot decode the transaction: '
  for (const [change, problem] of [
    [(items) => items.pop(), 'too few elements: data is missing'],
    [(items) => items.push(new Uint8Array()), 'the transaction has too many elements'],
    [(items) => items.splice(0, 1, new Uint8Array(31)), 'sourceHash has 31 bytes instead of 32'],
    [(items) => items.splice(1, 1, new Uint8Array()), 'from has 0 bytes instead of 20'],
    [(items) => items.splice(2, 1, new Uint8Array(19)), 'to has 19 bytes instead of 20'],
    [(items) => items.splice(3, 1, new Uint8Array([0, 5])), 'non-canonical integer (leading zero bytes) in mint'],
    [(items) => items.splice(4, 1, []), 'expected bytes for value'],
    [(items) => items.splice(5, 1, new Uint8Array(9).fill(1)), 'gas has 9 bytes, but at most 8 are allowed'],
    [(items) => items.splice(6, 1, new Uint8Array([2])), 'isSystemTx is 2, neither 0 nor 1'],
  ] satisfies [(items: Item[]) => unknown, string][])
    expect(refused(change)).toThrow(cannot + problem)
})

test('refuses what is no transaction in words that name the path', () => {
  const refused = (raw: Hex) => {
    try {
      decodeTransaction(raw)
    } catch (error) {
      return (error as Error).message
    }
    return undefined
  }
  const raw = signTransaction(fieldsOf('eip1559'), keys[0] as Uint8Array)
  const { type, items } = itemsOf(raw)
  const cannot = 'rlp: cannot decode the transaction: '
  expect(refused('0x')).toBe(`${cannot}it is empty`)
  expect(refused('0x00c0')).toBe('transaction type not supported: 0x00')
  expect(refused('0x7ec0')).toBe('transaction type not supported: 0x7e')
  expect(refused('0x80')).toBe(`${cannot}expected a list for the list of its fields`)
  expect(refused('0x02')).toBe(`${cannot}too few elements: the list of its fields is missing`)
  expect(refused('0x02c0')).toBe(`${cannot}too few elements: chainId is missing`)
  expect(refused(`${raw}00`)).toBe(`${cannot}the transaction has too many elements`)
  expect(refused(raw.slice(0, -2) as Hex)).toBe(`${cannot}the list of its fields is longer than what contains it`)
  expect(refused(encodeTransaction(fieldsOf('eip1559')))).toBe('invalid transaction v, r, s values: it is not signed')
  for (const chainId of [1n, undefined])
    expect(refused(encodeTransaction(fieldsOf('legacy', { chainId })))).toBe(
      'invalid transaction v, r, s values: it is not signed',
    )
  expect(refused(rawOf(type, [...items, new Uint8Array()]))).toBe(`${cannot}the transaction has too many elements`)
  expect(refused(rawOf(type, changed(items, [9], () => new Uint8Array([2])) as Item[]))).toBe(
    'invalid transaction v, r, s values: v is 2',
  )
  expect(refused(rawOf(type, changed(items, [8], () => new Uint8Array()) as Item[]))).toBe(
    `${cannot}expected a list for accessList`,
  )
  // A size of one byte that is written with two.
  const size = hexToBytes(raw)[2] as number
  const long = new Uint8Array([2, 0xf9, 0, size, ...hexToBytes(raw).slice(3)])
  expect(refused(bytesToHex(long))).toBe(`${cannot}non-canonical size information in the list of its fields`)
})

function encodedAgain(transaction: Transaction): Hex {
  const { type, deposit, from, to = '0x', value, gasLimit, data } = transaction
  if (type !== 'deposit') return encodeTransaction({ ...transaction, type }, transaction.signature)
  const { sourceHash, mint = 0n } = deposit ?? {}
  const numbers = { mint: toHex(mint), value: toHex(value), gas: toHex(gasLimit) }
  return toHex(encodeTransactionFields(0x7e, { sourceHash, from, to, ...numbers, input: toHex(data) }))
}

/** What is made of a raw transaction: its own encoding again, or the error of one that is invalid. */
function outcomeOf(raw: Hex): 'decoded' | 'refused' {
  try {
    const { transaction, sidecar } = decodeSent(raw)
    expect(encodedAgain(transaction)).toBe(transaction.raw)
    expect(sidecar ? '' : transaction.raw).toBe(sidecar ? '' : raw)
    expect(transaction.hash).toBe(keccak256(transaction.raw))
    return 'decoded'
  } catch (error) {
    if (!isNetworkError(error, 'TRANSACTION_INVALID')) throw error
    return 'refused'
  }
}

const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom(0, 1, 0x7f, 0x80, 0xff).map((byte) => new Uint8Array([byte])),
  fc.uint8Array({ maxLength: 33 }).map((bytes) => new Uint8Array([0, ...bytes])),
)
const { item: anyItem } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof({ depthSize: 'small' }, anyBytes, fc.array(tie('item'), { maxLength: 4 })),
}))

test('takes a changed transaction only if its encoding is the only one, and refuses others as invalid', () => {
  const raws = [...transactions.map((fields) => signTransaction(fields, keys[0] as Uint8Array)), rawDeposit()]
  const outcomes = { decoded: 0, refused: 0 }
  const count = (raw: Hex) => {
    outcomes[outcomeOf(raw)]++
  }
  for (const raw of raws) count(raw)
  expect(outcomes).toEqual({ decoded: raws.length, refused: 0 })
  fc.assert(
    fc.property(fc.constantFrom(...raws), fc.nat(), fc.integer({ min: 1, max: 255 }), (raw, path, bits) => {
      const bytes = hexToBytes(raw)
      bytes[path % bytes.length] = (bytes[path % bytes.length] ?? 0) ^ bits
      count(bytesToHex(bytes))
    }),
    { numRuns: 3000 },
  )
  fc.assert(
    fc.property(fc.constantFrom(...raws), fc.nat(), anyItem, (raw, pick, other) => {
      const { type, items } = itemsOf(raw)
      const paths = pathsOf(items)
      const path = paths[pick % paths.length] ?? []
      const made = changed(items, path, () => other)
      count(bytesToHex(new Uint8Array([...type, ...RLP.encode(made)])))
    }),
    { numRuns: 3000 },
  )
  expect(outcomes.decoded).toBeGreaterThan(500)
  expect(outcomes.refused).toBeGreaterThan(500)
})
