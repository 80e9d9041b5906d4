import { type Done, revertReason } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'

/** Throws when an execution did not succeed: `EXECUTION_REVERTED` with the return data, or `EXECUTION_FAILED`. */
export function requireSuccess(result: Done): Done {
  if (result.status === 'success') return result
  if (result.status === 'halt') throw new NetworkError('EXECUTION_FAILED', { text: result.halt ?? 'execution halted' })
  throw new NetworkError(
    'EXECUTION_REVERTED',
    { text: revertText(result.output) },
    { data: hexFromBytes(result.output) },
  )
}

/** Says that an execution reverted, and why, when its output has a reason. */
export function revertText(output: Uint8Array): string {
  const reason = revertReason(output)
  return reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
}
