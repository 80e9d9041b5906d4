import type { ForkRules } from '../forks.ts'
import type { IntrinsicGas } from '../gas/intrinsicGas.ts'
import { insufficientBalance, outOfGas } from '../halts.ts'
import type { BlockContext, Message, MessageKind } from '../port.ts'
import type { Rejected, RejectReason } from './rejection.ts'

/** What the rules need to know of the sender; `undefined` while it is not loaded. */
export type Sender = { balance: bigint; nonce: bigint; hasOwnCode: boolean }

const maxNonce = (1n << 64n) - 1n
const maxBalance = (1n << 256n) - 1n
const blobVersion = '0x01'
/** EIP-4844. */
export const gasPerBlob = 131072n

function reject(reason: RejectReason, details: Record<string, bigint | string> = {}): Rejected {
  return { type: 'rejected', reason, details }
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** Whether a message needs nothing of its sender: it pays for no gas, sends no value, and creates nothing. */
export function isFreeCall(message: Message, kind: MessageKind): boolean {
  const { to, value, gasPrice, maxFeePerGas = gasPrice, mint } = message
  const isFree = value === 0n && gasPrice === 0n && maxFeePerGas === 0n && mint === undefined
  return kind === 'call' && to !== undefined && isFree
}

/** The most that the message may cost its sender, without the value. */
function maxCost(message: Message): bigint {
  const gas = message.gasLimit * (message.maxFeePerGas ?? message.gasPrice)
  const { blobVersionedHashes: hashes, maxFeePerBlobGas = 0n } = message
  return hashes === undefined ? gas : gas + gasPerBlob * BigInt(hashes.length) * maxFeePerBlobGas
}

/** Why the message may not run in this block; `undefined` when it may. */
export function refuse(
  message: Message,
  kind: MessageKind,
  block: BlockContext,
  rules: ForkRules,
  gas: IntrinsicGas,
  sender: Sender | undefined,
  surcharge = 0n,
): Rejected | undefined {
  if (kind === 'system') return undefined
  if (message.mint !== undefined) return checkDeposit(message, message.mint, block, sender)
  return (
    checkType(message, rules) ??
    (kind === 'transaction' ? checkTransaction(message, block, rules, gas, sender) : undefined) ??
    checkFees(message, kind, block, rules) ??
    checkBlobs(message, kind, block, rules) ??
    checkGas(message, rules, gas) ??
    checkFunds(message, sender, surcharge)
  )
}

/** The halt of a deposit that fails without running; `undefined` when it runs, and for other messages. */
export function haltOfDeposit(
  message: Message,
  rules: ForkRules,
  gas: IntrinsicGas,
  sender: Sender | undefined,
): number | undefined {
  const { mint } = message
  if (mint === undefined) return undefined
  if (checkGas(message, rules, gas)) return outOfGas
  const funded = sender && { ...sender, balance: sender.balance + mint }
  return checkFunds(message, funded, 0n) && insufficientBalance
}

/** Why no block can have a deposit, even as one that fails. */
function checkDeposit(
  { from, gasLimit }: Message,
  mint: bigint,
  block: BlockContext,
  sender: Sender | undefined,
): Rejected | undefined {
  const rejected = checkBlockGas(gasLimit, block)
  if (rejected || sender === undefined) return rejected
  const { nonce, balance } = sender
  if (nonce === maxNonce) return reject('NONCE_MAX', { nonce })
  return balance + mint > maxBalance ? reject('MINT_TOO_HIGH', { sender: from, balance, mint }) : undefined
}

function checkType(message: Message, rules: ForkRules): Rejected | undefined {
  const { fork } = rules
  if (message.maxPriorityFeePerGas !== undefined && !rules.baseFee)
    return reject('TYPE_NOT_SUPPORTED', { type: '0x2', fork })
  if (message.blobVersionedHashes !== undefined && rules.maxBlobs === 0) {
    return reject('TYPE_NOT_SUPPORTED', { type: '0x3', fork })
  }
  if (message.authorizationList === undefined) return undefined
  if (!rules.delegation) return reject('TYPE_NOT_SUPPORTED', { type: '0x4', fork })
  if (message.to === undefined) return reject('AUTHORIZATIONS_CREATE')
  return message.authorizationList.length === 0 ? reject('AUTHORIZATION_LIST_EMPTY') : undefined
}

function checkTransaction(
  message: Message,
  block: BlockContext,
  rules: ForkRules,
  gas: IntrinsicGas,
  sender: Sender | undefined,
): Rejected | undefined {
  const { gasLimit } = message
  if (sender !== undefined) {
    const nonce = message.nonce ?? sender.nonce
    if (nonce < sender.nonce) return reject('NONCE_TOO_LOW', { nonce, expected: sender.nonce })
    if (nonce > sender.nonce) return reject('NONCE_TOO_HIGH', { nonce, expected: sender.nonce })
    if (nonce === maxNonce) return reject('NONCE_MAX', { nonce })
    if (sender.hasOwnCode) return reject('SENDER_HAS_CODE', { sender: message.from })
  }
  const { gasLimitCap, gasCap } = rules
  if (gasLimitCap !== undefined && gasLimit > gasLimitCap && !message.gasMayExceedCap)
    return reject('GAS_LIMIT_EXCEEDS_CAP', { gasLimit, cap: gasLimitCap })
  const regularGas = rules.stateGas ? maxOf(gas.intrinsic, gas.floor) : 0n
  if (gasCap !== undefined && regularGas > gasCap && !message.gasMayExceedCap)
    return reject('GAS_LIMIT_EXCEEDS_CAP', { gasLimit: regularGas, cap: gasCap })
  return checkBlockGas(gasLimit, block)
}

function checkBlockGas(gasLimit: bigint, { gasLimit: blockGasLimit, limits }: BlockContext): Rejected | undefined {
  const isTooHigh = gasLimit > blockGasLimit && !limits?.noBlockGasLimit
  return isTooHigh ? reject('GAS_LIMIT_EXCEEDS_BLOCK', { gasLimit, blockGasLimit }) : undefined
}

function checkFees(message: Message, kind: MessageKind, block: BlockContext, rules: ForkRules): Rejected | undefined {
  if (!rules.baseFee) return undefined
  const maxFee = message.maxFeePerGas ?? message.gasPrice
  const tip = message.maxPriorityFeePerGas ?? 0n
  if (kind === 'call' && message.gasPrice === 0n && maxFee === 0n && tip === 0n) return undefined
  if (tip > maxFee) return reject('TIP_ABOVE_FEE_CAP', { maxPriorityFeePerGas: tip, maxFeePerGas: maxFee })
  if (maxFee < block.baseFee) return reject('FEE_CAP_BELOW_BASE_FEE', { maxFeePerGas: maxFee, baseFee: block.baseFee })
  return undefined
}

function checkBlobs(message: Message, kind: MessageKind, block: BlockContext, rules: ForkRules): Rejected | undefined {
  const hashes = message.blobVersionedHashes
  if (hashes === undefined) return undefined
  if (message.to === undefined) return reject('BLOBS_CREATE')
  if (hashes.length === 0) return reject('BLOB_LIST_EMPTY')
  if (hashes.length > rules.maxBlobs)
    return reject('BLOB_LIST_TOO_LONG', { count: BigInt(hashes.length), max: BigInt(rules.maxBlobs) })
  const wrong = hashes.findIndex((hash) => !hash.startsWith(blobVersion))
  if (wrong >= 0) return reject('BLOB_HASH_VERSION', { index: BigInt(wrong), hash: hashes[wrong] ?? '' })
  const maxFee = message.maxFeePerBlobGas ?? 0n
  if (kind === 'call' && maxFee === 0n) return undefined
  if (maxFee < block.blobBaseFee) {
    return reject('BLOB_FEE_CAP_TOO_LOW', { maxFeePerBlobGas: maxFee, blobBaseFee: block.blobBaseFee })
  }
  return undefined
}

function checkGas(message: Message, rules: ForkRules, { intrinsic, floor }: IntrinsicGas): Rejected | undefined {
  const maxInitcodeSize = 2 * rules.maxCodeSize
  if (message.to === undefined && rules.limitInitcode && message.data.length > maxInitcodeSize) {
    return reject('INITCODE_TOO_LARGE', { size: BigInt(message.data.length), max: BigInt(maxInitcodeSize) })
  }
  const required = maxOf(intrinsic, floor)
  if (message.gasLimit < required) return reject('INTRINSIC_GAS_TOO_LOW', { gasLimit: message.gasLimit, required })
  return undefined
}

function checkFunds(message: Message, sender: Sender | undefined, surcharge: bigint): Rejected | undefined {
  if (sender === undefined) return undefined
  const required = maxCost(message) + surcharge + message.value
  if (sender.balance < required) {
    return reject('INSUFFICIENT_FUNDS', { sender: message.from, balance: sender.balance, required })
  }
  return undefined
}
