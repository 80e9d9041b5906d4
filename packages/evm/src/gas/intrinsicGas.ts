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

function dataTokens(data: Uint8Array): bigint {
  let zeros = 0
  for (let i = 0; i < data.length; i++) if (data[i] === 0) zeros++
  return BigInt(zeros + (data.length - zeros) * tokensOfNonzero)
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
