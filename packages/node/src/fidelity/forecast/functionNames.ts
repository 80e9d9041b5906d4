import { type CallFrame, type Hex, isCreation } from '@understudy/evm'
import { decodeInput } from '../../contracts/decode.ts'
import type { KnownContract } from '../../contracts/knownContracts.ts'
import { hexFromBytes } from '../../shared/hex.ts'

/** What a frame calls of a contract: a selector, its creation, or nothing in particular. */
export type Called = Hex | 'constructor' | 'receive'

export function calledBy(frame: CallFrame): Called {
  if (isCreation(frame)) return 'constructor'
  return frame.input.length < 4 ? 'receive' : hexFromBytes(frame.input.subarray(0, 4))
}

/** Its signature, or what is called if that is not known. */
export function functionOf(frame: CallFrame, known: KnownContract | undefined): string {
  const called = calledBy(frame)
  if (!called.startsWith('0x')) return called
  return decodeInput(known?.abi, called as Hex)?.signature ?? called
}
