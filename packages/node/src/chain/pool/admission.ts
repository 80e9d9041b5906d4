import type { Transaction } from '../../ethereum/transaction.ts'
import type { ExecutionPoint } from '../../execution/execution.ts'
import { runLoaded } from '../../execution/run.ts'
import { ComputingTime } from '../../shared/budget/computingTime.ts'
import type { Engine } from '../../shared/engine.ts'
import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import { type WantedState, wantedFrom } from '../../state/view.ts'
import { messageFrom } from '../sealing/blockBuilder.ts'

/** How long a transaction runs before it is admitted; other state that it needs is loaded when it is sealed. */
const tryMs = 100

/**
 * Rejects a transaction that can never run, as geth's pool does, and loads the state that it needs, so that sealing
 * does not wait for upstream. `later` accepts a base fee that is too high now.
 * @returns the state that it read, if it ran to its end, and whether it takes long.
 */
export async function admit(
  transaction: Transaction,
  point: ExecutionPoint,
  { engine, chainId, later }: { engine: Engine; chainId: bigint; later: boolean },
): Promise<{ read: WantedState | undefined; isHeavy: boolean }> {
  if (transaction.chainId !== undefined && transaction.chainId !== chainId)
    throw new NetworkError('TRANSACTION_INVALID', {
      text: `invalid chain id for signer: have ${transaction.chainId} want ${chainId}`,
    })
  try {
    const message = messageFrom(transaction, point.block.baseFee)
    const time = new ComputingTime(tryMs)
    const { readSet } = await runLoaded(engine, message, point.block, point.view, { kind: 'transaction', time })
    return { read: wantedFrom(readSet), isHeavy: false }
  } catch (error) {
    const isHeavy = isNetworkError(error, 'EXECUTION_TOO_LONG')
    const mayRunLater = isNetworkError(error, 'NONCE_TOO_HIGH') || (later && isNetworkError(error, 'FEE_CAP_TOO_LOW'))
    if (isHeavy || mayRunLater) return { read: undefined, isHeavy }
    throw error
  }
}
