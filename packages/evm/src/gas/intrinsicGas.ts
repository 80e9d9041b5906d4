import type { ForkRules } from '../forks.ts'
import type { Message } from '../port.ts'

const initcodeWord = 2n
/** A nonzero byte of data counts as this many tokens; a zero byte as one. */
const tokensOfNonzero = 4
const tokenGas = 4n
const addressLength = 20
const storageKeyLength = 32

export type IntrinsicGas = {
  /** Due before the first operation. All of it is regular gas (EIP-8037). */
  intrinsic: bigint
  /** The minimum gas that the transaction pays for (EIP-7623); 0 before Prague. */
  floor: bigint
}

export const noGas: IntrinsicGas = { intrinsic: 0n, floor: 0n }

/** State gas of a system call beside its gas limit: 16 new slots (EIP-8037). */
export const systemReservoir = 16n * 64n * 1530n

function dataTokens(data: Uint8Array): bigint {
  const zeros = zerosIn(data)
  return BigInt(zeros + (data.length - zeros) * tokensOfNonzero)
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
function baseOf(message: Message, { base, create, recipient, value }: ForkRules['intrinsic']): bigint {
  if (message.to === undefined) return base + create
  if (message.to === message.from) return base
  return base + recipient + (message.value > 0n ? value : 0n)
}

/** The cost of a message before it runs. */
export function intrinsicGasOf(message: Message, rules: ForkRules): IntrinsicGas {
  const prices = rules.intrinsic
  const tokens = dataTokens(message.data)
  const base = baseOf(message, prices)
  let intrinsic = base + tokens * tokenGas
  if (message.to === undefined && rules.meterInitcode) {
    intrinsic += initcodeWord * BigInt(Math.ceil(message.data.length / 32))
  }
  let listLength = 0
  for (const { storageKeys } of message.accessList ?? []) {
    intrinsic += prices.address + prices.storageKey * BigInt(storageKeys.length)
    listLength += addressLength + storageKeyLength * storageKeys.length
  }
  intrinsic += prices.authorization * BigInt(message.authorizationList?.length ?? 0)
  if (!prices.everyByteCounts) {
    return { intrinsic, floor: rules.floorGas ? rules.intrinsic.base + tokens * prices.floorToken : 0n }
  }
  const bytesGas = (bytes: number) => BigInt(bytes * tokensOfNonzero) * prices.floorToken
  return {
    intrinsic: intrinsic + bytesGas(listLength),
    floor: base + bytesGas(message.data.length + listLength),
  }
}
