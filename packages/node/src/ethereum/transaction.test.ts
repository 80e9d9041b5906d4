import { type Hex, hexToBytes, keccak256, stringToBytes, type TransactionSerializable, toHex, toRlp } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { decodeTransaction, usualTransaction } from './decodeTransaction.ts'
import {
  decodeAnyStoredTransaction,
  decodeAnyTransaction,
  encodeImpersonated,
  signTransaction,
  type Transaction,
} from './transaction.ts'

const to = '0x00000000000000000000000000000000000000aa'
const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
const hash = keccak256('0x01')

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

const transactions: TransactionSerializable[] = [
  { type: 'legacy', chainId: 1, nonce: 0, to, value: 1n, gas: 21_000n, gasPrice: 10n ** 9n },
  { type: 'eip2930', chainId: 1, nonce: 1, data: '0x6000', gas: 90_000n, gasPrice: 7n, accessList: [] },
  { type: 'eip1559', chainId: 31337, nonce: 300, to, gas: 21_000n, ...fees },
  {
    type: 'eip4844',
    chainId: 1,
    to,
    gas: 21_000n,
    ...fees,
    maxFeePerBlobGas: 1n,
    blobVersionedHashes: [`0x01${hash.slice(4)}`],
  },
  { type: 'eip7702', chainId: 1, to, gas: 50_000n, ...fees, authorizationList: [] },
]

test.each(transactions)("signs a transaction of type $type as viem's accounts do", async (transaction) => {
  for (let index = 0; index < 20; index++) {
    const privateKey = keccak256(stringToBytes(`key ${index}`), 'bytes')
    const account = privateKeyToAccount(toHex(privateKey))
    const signed = signTransaction(transaction, privateKey)
    expect(signed).toBe(await account.signTransaction(transaction))
    expect(decodeTransaction(signed).from).toBe(account.address.toLowerCase())
  }
})

/** What a way to decode makes of it. */
function outcomeOf(decode: (encoded: Hex) => Transaction | undefined, encoded: Hex): Transaction | undefined {
  try {
    return decode(encoded)
  } catch {
    return undefined
  }
}

test('encodes and decodes the usual transactions as all others, and leaves what is changed in them to the long way', async () => {
  const privateKey = keccak256('0x02', 'bytes')
  const account = privateKeyToAccount(keccak256('0x02'))
  const usual = { type: 'eip1559', chainId: 31337, gas: 21_000n, ...fees } as const
  const all = [
    { ...usual, to, nonce: 0, value: 0n },
    { ...usual, to, nonce: 127, value: 128n },
    { ...usual, to, nonce: 256, value: 2n ** 255n, data: '0x7f' },
    { ...usual, nonce: 1, data: `0x${'60'.repeat(300)}` },
    { ...usual, chainId: 2 ** 40, to, nonce: 2 ** 40, data: '0x80' },
  ] as TransactionSerializable[]
  for (const transaction of all) {
    const encoded = await account.signTransaction(transaction)
    expect(signTransaction(transaction, privateKey)).toBe(encoded)
    expect(usualTransaction(encoded)).toEqual(decodeAnyTransaction(encoded).transaction)
    const sent = encodeImpersonated(transaction, to)
    expect(usualTransaction(sent, to)).toEqual(decodeAnyStoredTransaction(sent, to))
    for (const changed of changedIn(encoded)) {
      const quick = outcomeOf(usualTransaction, changed)
      if (quick) expect(quick).toEqual(outcomeOf((each) => decodeAnyTransaction(each).transaction, changed))
    }
    for (const other of [`${encoded}00`, encoded.slice(0, -2), `0x01${encoded.slice(4)}`])
      expect(usualTransaction(other as Hex)).toBeUndefined()
  }
  const listed = signTransaction({ ...usual, to, accessList: [{ address: to, storageKeys: [] }] }, privateKey)
  expect(usualTransaction(listed)).toBeUndefined()
})

/** With each of its first bytes changed in two ways. */
function changedIn(encoded: Hex): Hex[] {
  return Array.from({ length: 40 }, (_, index) => index).flatMap((index) =>
    [1, 0x80].map((bits): Hex => {
      const bytes = hexToBytes(encoded)
      bytes[index] = (bytes[index] ?? 0) ^ bits
      return toHex(bytes)
    }),
  )
}
