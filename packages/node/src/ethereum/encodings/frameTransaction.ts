import type { Address, Hex, Word } from '@understudy/evm'
import { bytesFromBigint, bytesFromHex } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import { encodeTyped, type RlpItem } from '../../shared/rlp/encodeRlp.ts'

/** The EIP-2718 number of frame transactions (EIP-8141). */
export const frameType = 6

/** What a frame runs as: the entry point of the protocol, a validation, or the sender. */
export const frameModes = ['default', 'verify', 'sender'] as const

/** What a frame may approve for the transaction. */
export const approvals = ['none', 'payment', 'execution', 'execution and payment'] as const

/** How the bytes of a signature are read. */
export const signatureSchemes = ['arbitrary', 'secp256k1', 'p256'] as const

export type Frame = {
  mode: (typeof frameModes)[number]
  mayApprove: (typeof approvals)[number]
  /** It succeeds or fails together with the next frame. */
  isBatched: boolean
  /** `undefined`: the sender. */
  target: Address | undefined
  gasLimit: bigint
  /** `undefined` in earlier drafts, which have one limit. */
  stateGasLimit: bigint | undefined
  value: bigint
  data: Hex
}

export type FrameSignature = {
  scheme: (typeof signatureSchemes)[number]
  /** `undefined`: the sender, or none for a scheme of the contract's own. */
  signer: Address | undefined
  /** `undefined`: the hash of the transaction without signatures. */
  message: Word | undefined
  signature: Hex
}

/** Calls that validate, pay and execute a transaction, which its sender need not sign (EIP-8141). Wei and gas. */
export type FrameTransaction = {
  chainId: bigint
  nonce: bigint
  sender: Address
  frames: Frame[]
  signatures: FrameSignature[]
  maxPriorityFeePerGas: bigint
  maxFeePerGas: bigint
  maxFeePerBlobGas: bigint
  blobVersionedHashes: Word[]
  /** Whether its fields give its hash. */
  isProven: boolean
}

type Raw = Record<string, unknown>

/** A field is not as it should be: the transaction is then shown without its frames. */
class UnreadableFieldError extends Error {}

type Fields = ReturnType<typeof requireFields>

/** More than EIP-8141 allows. */
const listLimit = 256

/**
 * The frames of a transaction as a node shows it, in the names of EIP-8141; `undefined` for other types, and where a field is
 * missing or cannot be read.
 */
export function frameTransactionFromRpc(raw: Raw): FrameTransaction | undefined {
  const read = raw.type === '0x6' ? readFields(raw) : undefined
  if (!read) return undefined
  const { fees, ...fields } = read
  return { ...fields, ...fees, isProven: keccak(encodeTyped(frameType, itemsOf(read))) === raw.hash }
}

/** What is hashed of a frame transaction as a node shows it; nothing where it cannot be read. */
export function frameItems(raw: Raw): RlpItem[] {
  const read = readFields(raw)
  return read ? itemsOf(read) : []
}

/** In the order of EIP-8141 since its limits and fees are lists, or of the drafts before. */
function itemsOf({ chainId, nonce, sender, frames, signatures, fees, blobVersionedHashes }: Fields): RlpItem[] {
  const { maxPriorityFeePerGas, maxFeePerGas, maxFeePerBlobGas } = fees
  const isDraft = frames.every(({ stateGasLimit }) => stateGasLimit === undefined)
  const prices = [maxPriorityFeePerGas, maxFeePerGas, maxFeePerBlobGas].map(bytesFromBigint)
  const numberOf = (names: readonly string[], name: string) => bytesFromBigint(BigInt(names.indexOf(name)))
  return [
    bytesFromBigint(chainId),
    bytesFromBigint(nonce),
    bytesFromHex(sender),
    frames.map(({ mode, mayApprove, isBatched, target, gasLimit, stateGasLimit, value, data }) => [
      numberOf(frameModes, mode),
      bytesFromBigint(BigInt(approvals.indexOf(mayApprove)) | (isBatched ? 4n : 0n)),
      bytesFromHex(target ?? '0x'),
      isDraft ? bytesFromBigint(gasLimit) : [gasLimit, stateGasLimit ?? 0n].map(bytesFromBigint),
      bytesFromBigint(value),
      bytesFromHex(data),
    ]),
    signatures.map(({ scheme, signer, message, signature }) => [
      numberOf(signatureSchemes, scheme),
      bytesFromHex(signer ?? '0x'),
      bytesFromHex(message ?? '0x'),
      bytesFromHex(signature),
    ]),
    ...(isDraft ? prices : [prices]),
    blobVersionedHashes.map((hash) => bytesFromHex(hash)),
  ]
}

function readFields(raw: Raw): Fields | undefined {
  try {
    return requireFields(raw)
  } catch (error) {
    if (error instanceof UnreadableFieldError) return undefined
    throw error
  }
}

function requireFields(raw: Raw) {
  const fees = isObject(raw.fees) ? raw.fees : raw
  return {
    chainId: number(raw.chainId),
    nonce: number(raw.nonce),
    sender: required(sized<Address>(raw.sender ?? raw.from, 20)),
    frames: list(raw.frames).map(readFrame),
    signatures: list(raw.signatures ?? []).map(readSignature),
    fees: {
      maxPriorityFeePerGas: number(fees.maxPriorityFeePerGas),
      maxFeePerGas: number(fees.maxFeePerGas),
      maxFeePerBlobGas: number(fees.maxFeePerBlobGas ?? 0),
    },
    blobVersionedHashes: list(raw.blobVersionedHashes ?? []).map((hash) => required(sized<Word>(hash, 32))),
  }
}

function readFrame(raw: unknown): Frame {
  const frame = object(raw)
  const limits = isObject(frame.limits) ? frame.limits : undefined
  const flags = number(frame.flags ?? 0)
  return {
    mode: named(frameModes, frame.mode),
    mayApprove: named(approvals, flags & 3n),
    isBatched: (flags & 4n) !== 0n,
    target: sized<Address>(frame.target ?? '0x', 20),
    gasLimit: number(limits ? limits.execution : (frame.gasLimit ?? frame.gas)),
    stateGasLimit: limits && number(limits.state),
    value: number(frame.value ?? 0),
    data: bytes(frame.data),
  }
}

function readSignature(raw: unknown): FrameSignature {
  const { scheme, signer, msg, signature } = object(raw)
  return {
    scheme: named(signatureSchemes, scheme),
    signer: sized<Address>(signer ?? '0x', 20),
    message: sized<Word>(msg ?? '0x', 32),
    signature: bytes(signature),
  }
}

const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value)

function object(value: unknown): Raw {
  if (!isObject(value)) throw new UnreadableFieldError()
  return value
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length > listLimit) throw new UnreadableFieldError()
  return value
}

/** A quantity in hex, or a small number. */
function number(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value !== 'string' || !/^0x[\da-f]{1,64}$/i.test(value)) throw new UnreadableFieldError()
  return BigInt(value)
}

function bytes(value: unknown): Hex {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !/^0x[\da-f]*$/i.test(value))
    throw new UnreadableFieldError()
  return value.toLowerCase() as Hex
}

/** `undefined` if it is empty. */
function sized<T extends Hex>(value: unknown, size: number): T | undefined {
  const read = bytes(value)
  if (read === '0x') return undefined
  if (read.length !== 2 + 2 * size) throw new UnreadableFieldError()
  return read as T
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new UnreadableFieldError()
  return value
}

function named<T>(names: readonly T[], value: unknown): T {
  return required(names[Number(number(value))])
}
