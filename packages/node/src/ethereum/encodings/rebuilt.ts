import type { Hex } from '@understudy/evm'
import { bytesFromBigint, bytesFromHex } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import { decodeRlp } from '../../shared/rlp/decodeRlp.ts'
import { encodeRlp, encodeTyped, type RlpItem } from '../../shared/rlp/encodeRlp.ts'
import { listRoot } from '../listRoot.ts'
import { encodeReceiptContents, receiptContentsFromRpc } from '../receipt.ts'
import { withdrawalItems } from '../withdrawal.ts'
import { frameItems } from './frameTransaction.ts'

/** Encodings that are made from the JSON of a node, and proven by the hashes in it: `undefined` where these do not agree. */

type Raw = Record<string, unknown>

const text = (raw: Raw, name: string) => (typeof raw[name] === 'string' ? (raw[name] as Hex) : undefined)
const bytes = (raw: Raw, name: string) => bytesFromHex(text(raw, name) ?? '0x')
const number = (raw: Raw, name: string) => bytesFromBigint(BigInt(text(raw, name)?.replace(/^0x$/, '') || 0))
const nothing = new Uint8Array()

const firstFields: [name: string, read: typeof bytes][] = [
  ['parentHash', bytes],
  ['sha3Uncles', bytes],
  ['miner', bytes],
  ['stateRoot', bytes],
  ['transactionsRoot', bytes],
  ['receiptsRoot', bytes],
  ['logsBloom', bytes],
  ['difficulty', number],
  ['number', number],
  ['gasLimit', number],
  ['gasUsed', number],
  ['timestamp', number],
  ['extraData', bytes],
  ['mixHash', bytes],
  ['nonce', bytes],
]
const blobFields: typeof firstFields = [
  ['blobGasUsed', number],
  ['excessBlobGas', number],
  ['parentBeaconBlockRoot', bytes],
]
/** The optional fields at the end of a header, by kind of chain: Ethereum's, Avalanche's (coreth), and its L1s' (subnet-evm). */
const laterFields: (typeof firstFields)[] = [
  [
    ['baseFeePerGas', number],
    ['withdrawalsRoot', bytes],
    ...blobFields,
    ['requestsHash', bytes],
    ['blockAccessListHash', bytes],
    ['slotNumber', number],
  ],
  [
    ['extDataHash', bytes],
    ['baseFeePerGas', number],
    ['extDataGasUsed', number],
    ['blockGasCost', number],
    ...blobFields,
    ['timestampMilliseconds', number],
    ['minDelayExcess', number],
    ['targetExponent', number],
    ['minPriceExponent', number],
    ['settledHeight', number],
    ['settledGasUnix', number],
    ['settledGasNumerator', number],
    ['settledExcess', number],
  ],
  [['baseFeePerGas', number], ['blockGasCost', number], ...blobFields],
]

/** The items of a header, of a chain whose headers are Ethereum's or Avalanche's, with any nonce and uncles. */
function headerItemsFrom(raw: Raw): Uint8Array[] | undefined {
  const first = firstFields.map(([name, read]) => read(raw, name))
  for (const later of laterFields) {
    const count = later.findLastIndex(([name]) => text(raw, name) !== undefined) + 1
    // One that is missing before another is empty.
    const rest = later
      .slice(0, count)
      .map(([name, read]) => (text(raw, name) === undefined ? nothing : read(raw, name)))
    const items = [...first, ...rest]
    if (keccak(encodeRlp(items)) === raw.hash) return items
  }
  return undefined
}

export function rebuildHeader(raw: Raw): Uint8Array | undefined {
  const items = headerItemsFrom(raw)
  return items && encodeRlp(items)
}

/** A block with whole transactions. `uncles` has the blocks that its JSON names as such. */
export function rebuildBlock(raw: Raw, uncles: readonly Raw[] = []): Uint8Array | undefined {
  const header = headerItemsFrom(raw)
  const transactions = (raw.transactions as Raw[]).map(rebuildTransaction)
  if (!header || !isWhole(transactions) || listRoot(transactions) !== raw.transactionsRoot) return undefined
  const uncleHeaders = uncles.map(headerItemsFrom)
  const uncleHashes = JSON.stringify(uncles.map(({ hash }) => hash))
  if (!isWhole(uncleHeaders) || uncleHashes !== JSON.stringify(raw.uncles ?? [])) return undefined
  // In a block, legacy transactions are lists and typed ones are strings.
  const body = transactions.map((encoded) => ((encoded[0] ?? 0) >= 0xc0 ? (decodeRlp(encoded) as RlpItem) : encoded))
  const withdrawals = (raw.withdrawals as Raw[] | undefined)?.map((each) =>
    withdrawalItems({
      index: BigInt(String(each.index)),
      validatorIndex: BigInt(String(each.validatorIndex)),
      address: each.address as Hex,
      amount: BigInt(String(each.amount)),
    }),
  )
  // Avalanche's blocks end with a version and the data of atomic transactions.
  const atomic = text(raw, 'extDataHash') === undefined ? [] : [nothing, bytes(raw, 'blockExtraData')]
  return encodeRlp([header, body, uncleHeaders, ...atomic, ...(withdrawals ? [withdrawals] : [])] as RlpItem[])
}

/** The receipts of a block with this root. */
export function rebuildReceipts(receipts: readonly Raw[], root: unknown): Uint8Array[] | undefined {
  const encoded = receipts.map((receipt) => encodeReceiptContents(receiptContentsFromRpc(receipt)))
  return listRoot(encoded) === root ? encoded : undefined
}

const list = (raw: Raw, name: string) => (Array.isArray(raw[name]) ? (raw[name] as Raw[]) : [])
const accessList = (raw: Raw): RlpItem =>
  list(raw, 'accessList').map((entry) => [
    bytes(entry, 'address'),
    (entry.storageKeys as Hex[]).map((key) => bytesFromHex(key)),
  ])
const parity = (raw: Raw) => number(raw, text(raw, 'yParity') === undefined ? 'v' : 'yParity')
const signature = (raw: Raw): RlpItem[] => [parity(raw), number(raw, 'r'), number(raw, 's')]
const call = (raw: Raw): RlpItem[] => [bytes(raw, 'to'), number(raw, 'value'), bytes(raw, 'input')]
const numbers = (raw: Raw, ...names: string[]) => names.map((name) => number(raw, name))
/** What messages of L1 begin with. */
const requested = (raw: Raw): RlpItem[] => [number(raw, 'chainId'), bytes(raw, 'requestId'), bytes(raw, 'from')]
const priced = (raw: Raw): RlpItem[] => [
  ...numbers(raw, 'chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas'),
  ...call(raw),
  accessList(raw),
]

/** What a transaction consists of, by its type. */
const contents: Record<number, (raw: Raw) => RlpItem[]> = {
  0: (raw) => [...numbers(raw, 'nonce', 'gasPrice', 'gas'), ...call(raw), ...numbers(raw, 'v', 'r', 's')],
  1: (raw) => [
    ...numbers(raw, 'chainId', 'nonce', 'gasPrice', 'gas'),
    ...call(raw),
    accessList(raw),
    ...signature(raw),
  ],
  2: (raw) => [...priced(raw), ...signature(raw)],
  3: (raw) => [
    ...priced(raw),
    number(raw, 'maxFeePerBlobGas'),
    ((raw.blobVersionedHashes ?? []) as Hex[]).map((hash) => bytesFromHex(hash)),
    ...signature(raw),
  ],
  4: (raw) => [
    ...priced(raw),
    list(raw, 'authorizationList').map((each) => [
      number(each, 'chainId'),
      bytes(each, 'address'),
      number(each, 'nonce'),
      ...signature(each),
    ]),
    ...signature(raw),
  ],
  6: frameItems,
  // Arbitrum's own (core/types/arb_types.go of nitro's go-ethereum): a deposit of L1, messages of L1 with a nonce and without, a
  // retryable ticket that is redeemed, one that is submitted, and what begins a block.
  100: (raw) => [...requested(raw), bytes(raw, 'to'), number(raw, 'value')],
  101: (raw) => [
    number(raw, 'chainId'),
    bytes(raw, 'from'),
    ...numbers(raw, 'nonce', 'maxFeePerGas', 'gas'),
    ...call(raw),
  ],
  102: (raw) => [...requested(raw), ...numbers(raw, 'maxFeePerGas', 'gas'), ...call(raw)],
  104: (raw) => [
    ...numbers(raw, 'chainId', 'nonce'),
    bytes(raw, 'from'),
    ...numbers(raw, 'maxFeePerGas', 'gas'),
    ...call(raw),
    bytes(raw, 'ticketId'),
    bytes(raw, 'refundTo'),
    ...numbers(raw, 'maxRefund', 'submissionFeeRefund'),
  ],
  105: (raw) => [
    ...requested(raw),
    ...numbers(raw, 'l1BaseFee', 'depositValue', 'maxFeePerGas', 'gas'),
    bytes(raw, 'retryTo'),
    number(raw, 'retryValue'),
    bytes(raw, 'beneficiary'),
    number(raw, 'maxSubmissionFee'),
    bytes(raw, 'refundTo'),
    bytes(raw, 'retryData'),
  ],
  106: (raw) => [number(raw, 'chainId'), bytes(raw, 'input')],
  // CIP-64 of Celo: fees in another currency.
  123: (raw) => [...priced(raw), bytes(raw, 'feeCurrency'), ...signature(raw)],
  // A deposit of the OP Stack: https://specs.optimism.io/protocol/deposits.html
  126: (raw) => [
    bytes(raw, 'sourceHash'),
    bytes(raw, 'from'),
    bytes(raw, 'to'),
    ...numbers(raw, 'mint', 'value', 'gas'),
    raw.isSystemTx === true ? new Uint8Array([1]) : nothing,
    bytes(raw, 'input'),
  ],
}

/** The EIP-2718 encoding of a transaction. */
export function rebuildTransaction(raw: Raw): Uint8Array | undefined {
  const type = Number(raw.type ?? 0)
  if (!contents[type]) return undefined
  const encoded = encodeTransactionFields(type, raw)
  return keccak(encoded) === raw.hash ? encoded : undefined
}

/** The EIP-2718 encoding of the fields of a transaction, named as in JSON. Fields that are missing are empty or zero. */
export function encodeTransactionFields(type: number, raw: Raw): Uint8Array {
  return encodeTyped(type, contents[type]?.(raw) ?? [])
}

const isWhole = <T>(all: readonly (T | undefined)[]): all is T[] => !all.includes(undefined)
