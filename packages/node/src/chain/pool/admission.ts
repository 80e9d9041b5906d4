import type { Missing } from '@understudy/evm'
import type { Transaction } from '../../ethereum/transaction.ts'
import type { ExecutionPoint } from '../../execution/execution.ts'
import { ComputingTime } from '../../shared/budget/computingTime.ts'
import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import { type AheadNeeds, type AheadRun, runAhead, runAheadNow } from '../sealing/aheadRun.ts'
import { messageFrom } from '../sealing/blockBuilder.ts'

/** How long a transaction runs before it is admitted; other state that it needs is loaded when it is sealed. */
const tryMs = 100

/**
 * Rejects a transaction that can never run, as geth's pool does, and loads the state that it needs, so that sealing
 * does not wait for upstream. `later` accepts a base fee that is too high now.
 * @returns the run, if the transaction ran to its end, and whether it takes long.
 */
export async function admit(
  transaction: Transaction,
  point: ExecutionPoint,
  { chainId, later, ...needs }: AheadNeeds & { chainId: bigint; later: boolean },
): Promise<{ run: AheadRun | undefined; isHeavy: boolean }> {
  if (transaction.chainId !== undefined && transaction.chainId !== chainId)
    throw new NetworkError('TRANSACTION_INVALID', {
      text: `invalid chain id for signer: have ${transaction.chainId} want ${chainId}`,
    })
  try {
    const message = messageFrom(transaction, point.block)
    const time = new ComputingTime(tryMs)
    return { run: await runAhead(message, point.block, point.view, needs, { time }), isHeavy: false }
  } catch (error) {
    const isHeavy = isNetworkError(error, 'EXECUTION_TOO_LONG')
    const mayRunLater = isNetworkError(error, 'NONCE_TOO_HIGH') || (later && isNetworkError(error, 'FEE_CAP_TOO_LOW'))
    if (isHeavy || mayRunLater) return { run: undefined, isHeavy }
    throw error
  }
}

/** The run of a transaction that is admitted in instant mode, if it is short and valid, or the state that is not in memory. */
export function admitNow(
  transaction: Transaction,
  { block, view }: Pick<ExecutionPoint, 'block' | 'view'>,
  needs: AheadNeeds,
): AheadRun | Missing | undefined {
  try {
    return runAheadNow(messageFrom(transaction, block), block, view, needs)
  } catch {
    // `admit` says what is wrong.
    return undefined
  }
}
