import { type Done, revertReason } from '@understudy/evm'
import { consoleLogsOf } from '../ethereum/abi/consoleLog.ts'
import { NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'

/** Maximum number of logs in an error. */
const shownLogs = 100

/** Throws if an execution failed: `EXECUTION_REVERTED` with the return data, or `EXECUTION_FAILED`. */
export function requireSuccess(result: Done): Done {
  if (result.status === 'success') return result
  const consoleLogs = consoleLogsOf(result, shownLogs).map(({ text }) => text)
  const logged = consoleLogs.length > 0 ? { consoleLogs } : {}
  if (result.status === 'halt')
    throw new NetworkError('EXECUTION_FAILED', { text: result.halt ?? 'execution halted', ...logged })
  const reason = revertReason(result.output)
  throw new NetworkError(
    'EXECUTION_REVERTED',
    { text: reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`, ...logged },
    { data: hexFromBytes(result.output) },
  )
}
