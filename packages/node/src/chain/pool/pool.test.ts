import { describe, expect, it } from 'vitest'
import { decodeStoredTransaction } from '../../ethereum/decodeTransaction.ts'
import { encodeImpersonated } from '../../ethereum/encodings/encodeTransaction.ts'
import type { Transaction } from '../../ethereum/transaction.ts'
import { Pool } from './pool.ts'

const sender = `0x${'aa'.repeat(20)}` as const

const transactionOf = (nonce: number, fee = 1n, blobFee?: bigint): Transaction =>
  decodeStoredTransaction({
    raw: encodeImpersonated(
      {
        type: blobFee === undefined ? 'eip1559' : 'eip4844',
        chainId: 1n,
        nonce: BigInt(nonce),
        to: sender,
        gasLimit: 21_000n,
        value: 0n,
        data: new Uint8Array(),
        maxFeePerGas: fee,
        maxPriorityFeePerGas: fee,
        accessList: [],
        maxFeePerBlobGas: blobFee,
        blobVersionedHashes: blobFee === undefined ? undefined : [`0x01${'ab'.repeat(31)}`],
        authorizationList: undefined,
      },
      sender,
    ),
    sender,
  })

it('finds the next nonce after gaps close, entries leave, and the account moves on', () => {
  const pool = new Pool(100)
  const add = (nonce: number) => pool.add(transactionOf(nonce), () => {})
  const remove = (nonce: bigint) => {
    const entry = pool.ofSender(sender)?.get(nonce)
    if (entry) pool.remove(entry)
  }
  expect(pool.nextNonce(sender, 3n)).toBe(3n)
  for (const nonce of [3, 4, 6, 7, 8]) add(nonce)
  expect(pool.nextNonce(sender, 3n)).toBe(5n)
  add(5)
  expect(pool.nextNonce(sender, 3n)).toBe(9n)
  remove(3n)
  expect(pool.nextNonce(sender, 4n)).toBe(9n)
  remove(6n)
  expect(pool.nextNonce(sender, 4n)).toBe(6n)
  expect(pool.nextNonce(sender, 7n)).toBe(9n)
  expect(pool.nextNonce(sender, 20n)).toBe(20n)
  expect(pool.nextNonce(sender, 2n)).toBe(2n)
})

describe('a replacement', () => {
  const outcome = (waiting: Transaction, sent: Transaction, stored = false) => {
    const pool = new Pool(100)
    pool.add(waiting, () => {})
    try {
      pool.add(sent, () => {}, { stored })
      return 'taken'
    } catch (error) {
      return (error as Error).message
    }
  }
  const underpriced = (field: string, percent: number, minimum: number) =>
    `replacement transaction underpriced: a transaction with this nonce is pending; its ${field} must be raised by ${percent} %, to ${minimum} wei`

  it('raises both fees by a tenth', () => {
    expect(outcome(transactionOf(0, 100n), transactionOf(0, 109n))).toBe(underpriced('maxFeePerGas', 10, 110))
    expect(outcome(transactionOf(0, 100n), transactionOf(0, 110n))).toBe('taken')
    const lowTip = { ...transactionOf(0, 110n), maxPriorityFeePerGas: 109n }
    expect(outcome(transactionOf(0, 100n), lowTip)).toBe(underpriced('maxPriorityFeePerGas', 10, 110))
  })

  it('of a transaction with blobs doubles all three fees', () => {
    const waiting = transactionOf(0, 100n, 50n)
    expect(outcome(waiting, transactionOf(0, 199n, 100n))).toBe(underpriced('maxFeePerGas', 100, 200))
    const lowTip = { ...transactionOf(0, 200n, 100n), maxPriorityFeePerGas: 199n }
    expect(outcome(waiting, lowTip)).toBe(underpriced('maxPriorityFeePerGas', 100, 200))
    expect(outcome(waiting, transactionOf(0, 200n, 99n))).toBe(underpriced('maxFeePerBlobGas', 100, 100))
    expect(outcome(waiting, transactionOf(0, 200n, 100n))).toBe('taken')
  })

  it('has blobs if those of its sender that wait have some, and else has none', () => {
    const reserved = (waiting: string, sent: string) =>
      `address already reserved: transactions ${waiting} blobs of ${sender} are pending. Send the one ${sent} blobs when they are in a block`
    for (const nonce of [0, 1]) {
      expect(outcome(transactionOf(0, 1n, 1n), transactionOf(nonce, 100n))).toBe(reserved('with', 'without'))
      expect(outcome(transactionOf(0, 1n), transactionOf(nonce, 100n, 100n))).toBe(reserved('without', 'with'))
    }
    // What comes back from the database was taken before.
    expect(outcome(transactionOf(0, 1n, 1n), transactionOf(1, 1n), true)).toBe('taken')
  })
})

it.each([
  ['fees', [2n, 3n, 1n]],
  ['fifo', [1n, 2n, 3n]],
] as const)('runs transactions by %s', (order, expected) => {
  const pool = new Pool(100, order)
  const senders = [1, 2, 3].map((number) => `0x${`0${number}`.repeat(20)}` as const)
  for (const [index, from] of senders.entries())
    pool.add({ ...transactionOf(0, [1n, 3n, 2n][index]), hash: `0x${`0${index}`.repeat(32)}`, from }, () => {})
  const nonces = new Map(senders.map((from) => [from, 0n]))
  const ran = [...pool.executable(0n, nonces)].map(({ transaction }) => BigInt(transaction.from.slice(-1)))
  expect(ran).toEqual(expected)
})

it('takes in a transaction as fast when many of its sender wait', () => {
  const pool = new Pool(20_000)
  const any = transactionOf(0)
  const transactions = Array.from({ length: 20_000 }, (_, nonce) => ({
    ...any,
    nonce: BigInt(nonce),
    hash: `0x${nonce}` as const,
  }))
  const timeOf = (from: number, to: number) => {
    // Not the time that it waits for a processor.
    const start = process.cpuUsage()
    for (const transaction of transactions.slice(from, to)) {
      pool.add(transaction, () => {})
      for (const entry of pool.unstored()) pool.markStored(entry)
      pool.nextNonce(sender, 0n)
    }
    return process.cpuUsage(start).user
  }
  const first = timeOf(0, 5000)
  timeOf(5000, 15_000)
  expect(timeOf(15_000, 20_000)).toBeLessThan(4 * first)
})

it('runs deposits in the order in which they came, and lists them by their sender', () => {
  const pool = new Pool(100)
  const [one, other] = [sender, `0x${'bb'.repeat(20)}`] as const
  const deposit = (from: typeof one | typeof other, index: number): Transaction => ({
    ...transactionOf(0),
    ...{ type: 'deposit', from, hash: `0x${String(index).padStart(64, '0')}` },
    deposit: { sourceHash: `0x${'00'.repeat(32)}`, mint: 0n },
  })
  for (const [index, from] of [one, other, one].entries()) pool.add(deposit(from, index), () => {})
  pool.add(transactionOf(2), () => {})
  const nonces = new Map([[one as string, 0n]]) as ReadonlyMap<typeof one, bigint>
  const hashes = [...pool.executable(0n, nonces)].map(({ transaction }) => Number(transaction.hash.slice(-1)))
  expect(hashes.slice(0, 3)).toEqual([0, 1, 2])
  expect(hashes).toHaveLength(4)
  expect(pool.nextNonce(one, 0n)).toBe(3n)
  expect(pool.depositors()).toEqual([one, other])
  for (const entry of [...pool.depositsOf(one)]) pool.remove(entry)
  expect(pool.depositors()).toEqual([other])
  expect(pool.depositsOf(one).size).toBe(0)
})
