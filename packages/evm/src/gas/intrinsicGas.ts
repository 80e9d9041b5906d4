import type { ForkRules } from '../forks.ts'
import type { Message } from '../port.ts'
import type { Prices } from './prices.ts'

/** A nonzero byte of data counts as this many tokens of the floor; a zero byte as one. */
const tokensOfNonzero = 4
const addressLength = 20
const storageKeyLength = 32

export type IntrinsicGas = {
  /** Due before the first operation. All of it is regular gas (EIP-8037). */
  intrinsic: bigint
  /** The minimum gas that the transaction pays for (EIP-7623); 0 before Prague. */
  floor: bigint
}

export const noGas: IntrinsicGas = { intrinsic: 0n, floor: 0n }

/** How many slots a system call may make beside its gas limit (EIP-8037). */
const systemSlots = 16

/** State gas of a system call beside its gas limit. */
export function systemReservoir({ slotState }: Prices): bigint {
  return BigInt(systemSlots * slotState)
}

/** Shorter data is counted byte by byte. */
const longData = 256
/** How many words are counted before the sums of their bytes are added up: each has 7 bits. */
const wordsTogether = 127

/** The number of zero bytes. Those of long data are counted four at a time. */
function zerosIn(data: Uint8Array): number {
  if (data.length < longData) return zerosBetween(data, 0, data.length)
  const head = -data.byteOffset & 3
  const words = new Int32Array(data.buffer, data.byteOffset + head, (data.length - head) >>> 2)
  let others = 0
  for (let at = 0; at < words.length; ) {
    const end = Math.min(words.length, at + wordsTogether)
    let sums = 0
    for (; at < end; at++) {
      const word = words[at] as number
      // The highest bit of a byte: from its lower bits, unless they are 0, or its own.
      sums += ((((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) >>> 7) & 0x01010101
    }
    others += (sums & 0xff) + ((sums >>> 8) & 0xff) + ((sums >>> 16) & 0xff) + (sums >>> 24)
  }
  const tail = head + words.length * 4
  return words.length * 4 - others + zerosBetween(data, 0, head) + zerosBetween(data, tail, data.length)
}

function zerosBetween(data: Uint8Array, start: number, end: number): number {
  let zeros = 0
  for (let at = start; at < end; at++) if (data[at] === 0) zeros++
  return zeros
}

/** What the message costs whatever its data is: its sender, and the account that it calls or creates (EIP-2780). */
function baseOf(message: Message, prices: Prices): number {
  const { transaction, transactionCreate, transactionRecipient, transactionValue } = prices
  if (message.to === undefined) return transaction + transactionCreate
  if (message.to === message.from) return transaction
  return transaction + transactionRecipient + (message.value > 0n ? transactionValue : 0)
}

/** The cost of a message before it runs. */
export function intrinsicGasOf(message: Message, { prices, everyByteCounts }: ForkRules): IntrinsicGas {
  const { data, accessList = [], authorizationList } = message
  const zeros = zerosIn(data)
  const others = data.length - zeros
  const base = baseOf(message, prices)
  let intrinsic = base + zeros * prices.calldataZeroByte + others * prices.calldataByte
  if (message.to === undefined) intrinsic += prices.initcodeWord * Math.ceil(data.length / 32)
  let listLength = 0
  for (const { storageKeys } of accessList) {
    intrinsic += prices.accessListAddress + prices.accessListKey * storageKeys.length
    listLength += addressLength + storageKeyLength * storageKeys.length
  }
  intrinsic += prices.authorization * (authorizationList?.length ?? 0)
  if (everyByteCounts) {
    const byteFloor = tokensOfNonzero * prices.floorToken
    return {
      intrinsic: BigInt(intrinsic + listLength * byteFloor),
      floor: BigInt(base + (data.length + listLength) * byteFloor),
    }
  }
  const tokens = zeros + others * tokensOfNonzero
  const floor = prices.floorToken === 0 ? 0 : prices.transaction + tokens * prices.floorToken
  return { intrinsic: BigInt(intrinsic), floor: BigInt(floor) }
}
