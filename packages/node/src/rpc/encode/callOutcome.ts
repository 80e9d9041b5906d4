import type { Done } from '@understudy/evm'
import { hexFromBytes } from '../../shared/hex.ts'

/** The data that a call returned, or why it failed, in one line. */
export function encodeCallOutcome({ status, halt, output }: Done) {
  if (status === 'success') return { value: hexFromBytes(output) }
  return { error: status === 'revert' ? 'execution reverted' : (halt ?? 'execution halted') }
}
