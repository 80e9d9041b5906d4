import type { Done } from '@understudy/evm'
import { hexFromBytes } from '../../shared/hex.ts'

/** One line with the return data of a call, or the reason why it failed. */
export function encodeCallOutcome({ status, halt, output }: Done) {
  if (status === 'success') return { value: hexFromBytes(output) }
  return { error: status === 'revert' ? 'execution reverted' : (halt ?? 'execution halted') }
}
