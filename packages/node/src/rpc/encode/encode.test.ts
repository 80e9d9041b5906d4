import { describe, expect, it } from 'vitest'
import type { Block, TransactionInBlock } from '../../chain/block.ts'
import type { Header } from '../../ethereum/header.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { Transaction } from '../../ethereum/transaction.ts'
import { encodeBlock, encodeTransactionCount, encodeTransactionOf } from './block.ts'
import { encodeReceipt } from './receipt.ts'
import { encodeFound } from './result.ts'
import { encodeTransaction } from './transaction.ts'

const word = (byte: string) => `0x${byte.repeat(32)}` as const
const address = (byte: string) => `0x${byte.repeat(20)}` as const

const transaction = (fields: Partial<Transaction> = {}): Transaction => ({
  hash: word('a1'),
  raw: '0x',
  type: 'eip1559',
  chainId: 1n,
  from: address('f0'),
  to: address('70'),
  nonce: 0n,
  gasLimit: 21_000n,
  value: 0n,
  data: new Uint8Array(),
  maxFeePerGas: 100n,
  maxPriorityFeePerGas: 2n,
  accessList: [],
  maxFeePerBlobGas: undefined,
  blobVersionedHashes: undefined,
  authorizationList: undefined,
  signature: { r: `0x${'00'.repeat(31)}0a`, s: word('0b'), yParity: 1, v: 1n },
  ...fields,
})
const inBlock = (sent: Transaction, baseFeePerGas: bigint | undefined = 10n): TransactionInBlock => ({
  transaction: sent,
  block: { number: 16n, hash: word('b1'), timestamp: 255n, timestampMs: undefined, baseFeePerGas },
  index: 3,
})
const header = (fields: Partial<Header> = {}): Header => ({
  number: 16n,
  parentHash: word('b0'),
  timestamp: 255n,
  coinbase: address('c0'),
  stateRoot: word('01'),
  transactionsRoot: word('02'),
  receiptsRoot: word('03'),
  logsBloom: `0x${'00'.repeat(256)}`,
  gasLimit: 30_000_000n,
  gasUsed: 21_000n,
  difficulty: 0n,
  extraData: '0x',
  mixHash: word('04'),
  baseFeePerGas: undefined,
  withdrawalsRoot: undefined,
  blobGasUsed: undefined,
  excessBlobGas: undefined,
  parentBeaconBlockRoot: undefined,
  requestsHash: undefined,
  blockAccessListHash: undefined,
  slotNumber: undefined,
  timestampMs: undefined,
  settledHeight: undefined,
  ...fields,
})
const block = (fields: Partial<Header> = {}, transactions: Transaction[] = [transaction()]): Block => ({
  hash: word('b1'),
  header: header(fields),
  base: { number: 15n, hash: word('ba') },
  live: undefined,
  transactions,
  size: 600n,
})

describe('a transaction', () => {
  it('has the price that was paid once it is sealed, and the most that is offered before', () => {
    expect(encodeTransaction(inBlock(transaction()))).toMatchObject({
      gasPrice: '0xc',
      blockNumber: '0x10',
      transactionIndex: '0x3',
    })
    expect(encodeTransaction(inBlock(transaction({ maxFeePerGas: 11n })))).toMatchObject({ gasPrice: '0xb' })
    expect(encodeTransaction({ transaction: transaction(), block: undefined, index: 0 })).toMatchObject({
      gasPrice: '0x64',
      blockHash: null,
      blockNumber: null,
      blockTimestamp: null,
      transactionIndex: null,
    })
  })

  it('has signature values without leading zeros, and v beside yParity', () => {
    expect(encodeTransaction(inBlock(transaction()))).toMatchObject({
      r: '0xa',
      s: `0x${'0b'.repeat(32).slice(1)}`,
      v: '0x1',
      yParity: '0x1',
    })
  })

  it('of the first kind may have no chain id', () => {
    const legacy = transaction({
      type: 'legacy',
      chainId: undefined,
      accessList: undefined,
      maxFeePerGas: 50n,
      maxPriorityFeePerGas: 50n,
      signature: { r: word('01'), s: word('02'), yParity: 0, v: 27n },
    })
    const encoded = encodeTransaction(inBlock(legacy))
    expect(encoded).toMatchObject({ type: '0x0', v: '0x1b', gasPrice: '0x32' })
    for (const field of ['chainId', 'yParity', 'accessList', 'maxFeePerGas']) expect(encoded).not.toHaveProperty(field)
  })

  it('with blobs names them and what it offers for them', () => {
    const blobs = transaction({ type: 'eip4844', maxFeePerBlobGas: 7n, blobVersionedHashes: [word('01')] })
    expect(encodeTransaction(inBlock(blobs))).toMatchObject({
      type: '0x3',
      maxFeePerBlobGas: '0x7',
      blobVersionedHashes: [word('01')],
    })
    expect(encodeTransaction(inBlock(transaction()))).not.toHaveProperty('blobVersionedHashes')
  })

  it('that creates a contract goes to null', () => {
    expect(encodeTransaction(inBlock(transaction({ to: undefined })))).toMatchObject({ to: null })
  })
})

describe('a receipt', () => {
  const receipt = (fields: Partial<Receipt> = {}): Receipt => ({
    transaction: transaction(),
    transactionIndex: 3,
    blockNumber: 16n,
    blockHash: word('b1'),
    blockTimestamp: 255n,
    status: 'success',
    gasUsed: 21_000n,
    cumulativeGasUsed: 42_000n,
    effectiveGasPrice: 12n,
    contractAddress: undefined,
    logs: [],
    logsBloom: `0x${'00'.repeat(256)}`,
    blobGasUsed: undefined,
    blobGasPrice: undefined,
    ...fields,
  })

  it('tells success and failure, and what was created', () => {
    expect(encodeReceipt(receipt())).toMatchObject({
      status: '0x1',
      contractAddress: null,
      cumulativeGasUsed: '0xa410',
    })
    expect(encodeReceipt(receipt({ status: 'failed', contractAddress: address('cc') }))).toMatchObject({
      status: '0x0',
      contractAddress: address('cc'),
    })
  })

  it('has what blobs cost where there were blobs only', () => {
    expect(encodeReceipt(receipt({ blobGasUsed: 131_072n, blobGasPrice: 1n }))).toMatchObject({
      blobGasUsed: '0x20000',
      blobGasPrice: '0x1',
    })
    expect(encodeReceipt(receipt())).not.toHaveProperty('blobGasUsed')
  })
})

describe('a block', () => {
  const laterFields = [
    'baseFeePerGas',
    'withdrawalsRoot',
    'withdrawals',
    'blobGasUsed',
    'excessBlobGas',
    'parentBeaconBlockRoot',
    'requestsHash',
  ]

  it('has no fields of later forks', () => {
    const encoded = encodeBlock(block(), false)
    for (const field of laterFields) expect(encoded).not.toHaveProperty(field)
  })

  it('has all that its fork has', () => {
    const encoded = encodeBlock(
      block({
        baseFeePerGas: 10n,
        withdrawalsRoot: word('05'),
        blobGasUsed: 0n,
        excessBlobGas: 0n,
        parentBeaconBlockRoot: word('06'),
        requestsHash: word('07'),
      }),
      false,
    )
    expect(Object.keys(encoded)).toEqual(expect.arrayContaining(laterFields))
    expect(encoded).toMatchObject({
      withdrawals: [],
      excessBlobGas: '0x0',
      baseFeePerGas: '0xa',
      transactions: [word('a1')],
      size: '0x258',
    })
  })

  it('has its transactions whole when they are asked for, each with its index', () => {
    const second = transaction({ hash: word('a2') })
    const encoded = encodeBlock(block({ baseFeePerGas: 10n }, [transaction(), second]), true)
    expect(encoded.transactions).toMatchObject([
      { hash: word('a1'), transactionIndex: '0x0', gasPrice: '0xc' },
      { hash: word('a2'), transactionIndex: '0x1', blockHash: word('b1') },
    ])
  })
})

describe("what is upstream's", () => {
  const strange = { number: '0x1', transactions: [{ type: '0x7e', hash: '0x01', mint: '0x5' }], l1BlockNumber: '0x9' }

  it('passes through untouched, of whatever type it is', () => {
    expect(encodeFound({ origin: 'upstream', value: strange }, () => ({}))).toBe(strange)
    expect(encodeTransactionOf({ origin: 'upstream', value: strange }, 0n)).toBe(strange.transactions[0])
    expect(encodeTransactionCount({ origin: 'upstream', value: strange })).toBe('0x1')
  })

  it('is null when there is nothing', () => {
    expect(encodeFound(undefined, () => ({}))).toBeNull()
    expect(encodeTransactionOf(undefined, 0n)).toBeNull()
    expect(encodeTransactionOf({ origin: 'local', value: block() }, 1n)).toBeNull()
    expect(encodeTransactionCount(undefined)).toBeNull()
  })
})
