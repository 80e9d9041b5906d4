import type { Address, Hex, Message, Word } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex } from '../shared/hex.ts'
import { recoverAuthority } from './authorization.ts'
import { zeroAddress } from './constants.ts'
import { effectiveGasPrice } from './transaction.ts'

type RawAuthorization = { chainId: Hex; nonce: Hex; address: Address; r: Hex; s: Hex; yParity?: Hex; v?: Hex }

/** The transaction types that the engine fully supports; only upstream can run others. */
const knownTypes = new Set(['0x0', '0x1', '0x2', '0x3', '0x4', undefined])
/** Of the OP Stack: sent by the layer below, which paid for it. */
const depositType = '0x7e'

/** A transaction of upstream's, to be run again. */
export type UpstreamTransaction = {
  hash: Word
  /** `undefined` for a type that is unknown here. */
  message: Message | undefined
  type: string
}

const address = /^0x[\da-f]{40}$/

/**
 * Who sent a transaction, as a node shows it. Those of types that a later fork brings may have other fields: frame transactions
 * (EIP-8141) name their `sender`. Zero where none is named.
 */
export function senderFromRpc({ from, sender }: Record<string, unknown>): Address {
  const named = [from, sender].map((text) => String(text).toLowerCase()).find((text) => address.test(text))
  return (named as Address | undefined) ?? zeroAddress
}

/** A transaction of upstream's, as `eth_getBlockByNumber` shows it. */
export function transactionFromRpc(raw: Record<string, unknown>, baseFee: bigint): UpstreamTransaction {
  const hash = raw.hash as Word
  const type = typeof raw.type === 'string' ? raw.type.toLowerCase() : '0x0'
  if (type === depositType) {
    const message = messageFromRpc({ ...raw, type: '0x0', gasPrice: '0x0', nonce: undefined }, 0n)
    return { hash, type, message: { ...message, mint: BigInt(typeof raw.mint === 'string' ? raw.mint : 0) } }
  }
  return { hash, type, message: knownTypes.has(type) ? messageFromRpc(raw, baseFee) : undefined }
}

/**
 * An upstream transaction in `eth_getBlockByNumber`'s format, as a message for replay. Throws `UNSUPPORTED` for unknown
 * types.
 */
export function messageFromRpc(raw: Record<string, unknown>, baseFee: bigint): Message {
  const text = (name: string) => (typeof raw[name] === 'string' ? (raw[name].toLowerCase() as Hex) : undefined)
  const big = (name: string) => {
    const value = text(name)
    return value === undefined ? undefined : BigInt(value)
  }
  const list = <T>(name: string) => (Array.isArray(raw[name]) ? (raw[name] as T[]) : undefined)
  const type = text('type')
  if (!knownTypes.has(type))
    throw new NetworkError('UNSUPPORTED', { what: `replaying a transaction of type ${type} here` })
  const bids = type === '0x0' || type === '0x1' || type === undefined
  const maxFeePerGas = (bids ? undefined : big('maxFeePerGas')) ?? big('gasPrice') ?? 0n
  const maxPriorityFeePerGas = (bids ? undefined : big('maxPriorityFeePerGas')) ?? maxFeePerGas
  return {
    from: text('from') ?? '0x',
    to: text('to'),
    value: big('value') ?? 0n,
    data: bytesFromHex(text('input') ?? text('data') ?? '0x'),
    gasLimit: big('gas') ?? 0n,
    gasPrice: effectiveGasPrice({ maxFeePerGas, maxPriorityFeePerGas }, baseFee),
    maxFeePerGas,
    maxPriorityFeePerGas: bids ? undefined : maxPriorityFeePerGas,
    nonce: big('nonce'),
    accessList: list<{ address: Address; storageKeys: Word[] }>('accessList')?.map(({ address, storageKeys }) => ({
      address: address.toLowerCase() as Address,
      storageKeys: storageKeys.map((key) => key.toLowerCase() as Word),
    })),
    maxFeePerBlobGas: big('maxFeePerBlobGas'),
    blobVersionedHashes: list<Word>('blobVersionedHashes'),
    authorizationList: list<RawAuthorization>('authorizationList')?.map(authorizationFromRpc),
  }
}

function authorizationFromRpc({ chainId, nonce, address, r, s, yParity, v }: RawAuthorization) {
  const word = (hex: Hex): Word => `0x${hex.slice(2).padStart(64, '0')}`
  return recoverAuthority({
    chainId: BigInt(chainId),
    nonce: BigInt(nonce),
    address: address.toLowerCase() as Address,
    r: word(r),
    s: word(s),
    yParity: Number(yParity ?? v ?? 0),
  })
}
