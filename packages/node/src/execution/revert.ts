import { type Done, revertReason } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'

/** Throws if an execution failed: `EXECUTION_REVERTED` with the return data, or `EXECUTION_FAILED`. */
export function requireSuccess(result: Done): Done {
  if (result.status === 'success') return result
  if (result.status === 'halt') throw new NetworkError('EXECUTION_FAILED', { text: result.halt ?? 'execution halted' })
  const reason = revertReason(result.output)
  throw new NetworkError(
    'EXECUTION_REVERTED',
    { text: reason === undefined ? 'execution reverted' : `execution reverted: ${reason}` },
    { data: hexFromBytes(result.output) },
  )
}
