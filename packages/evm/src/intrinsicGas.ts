import type { ForkRules } from './forks.ts'
import type { Message } from './port.ts'

const transaction = 21000n
const create = 32000n
const initcodeWord = 2n
const accessListAddress = 2400n
const accessListKey = 1900n
const authorization = 25000n
const floorToken = 10n
/** A nonzero byte of data counts as this many tokens; a zero byte as one. */
const tokensOfNonzero = 4
const tokenGas = 4n

export type IntrinsicGas = {
  /** Due before the first operation. */
  intrinsic: bigint
  /** The minimum gas that the transaction pays for (EIP-7623); 0 before Prague. */
  floor: bigint
}

function dataTokens(data: Uint8Array): bigint {
  let zeros = 0
  for (let i = 0; i < data.length; i++) if (data[i] === 0) zeros++
  return BigInt(zeros + (data.length - zeros) * tokensOfNonzero)
}

/** The cost of a message before it runs. */
export function intrinsicGasOf(message: Message, rules: ForkRules): IntrinsicGas {
  const tokens = dataTokens(message.data)
  let intrinsic = transaction + tokens * tokenGas
  if (message.to === undefined) {
    intrinsic += create
    if (rules.meterInitcode) intrinsic += initcodeWord * BigInt(Math.ceil(message.data.length / 32))
  }
  for (const { storageKeys } of message.accessList ?? []) {
    intrinsic += accessListAddress + accessListKey * BigInt(storageKeys.length)
  }
  intrinsic += authorization * BigInt(message.authorizationList?.length ?? 0)
  return { intrinsic, floor: rules.floorGas ? transaction + tokens * floorToken : 0n }
}
