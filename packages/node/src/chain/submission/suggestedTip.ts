import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import { withoutBudget } from '../../shared/budget/requestBudget.ts'
import type { Clock } from '../../shared/clock.ts'
import { isNetworkError } from '../../shared/errors.ts'
import type { AskUpstream } from '../origins.ts'

/** The suggested tip, in wei per gas: that of the live chain's recent blocks. At once unless it has to be asked. */
export type SuggestTip = () => MaybePromise<bigint>

/** The suggestion if nothing is forked or upstream suggests nothing, in wei per gas; none if the minimum is off. */
const defaultTip = 1_000_000_000n
/** How long a suggestion is cached, in milliseconds: it is based on many blocks, and one more changes little. */
const holdsMs = 5_000

/**
 * Returns the suggested tip, in wei per gas: upstream's suggestion, based on recent blocks of the live chain. At once unless
 * upstream has to be asked.
 */
export function createTipSuggestion(
  { disableMinPriorityFee }: { disableMinPriorityFee: boolean },
  { upstream, clock }: { upstream: AskUpstream | undefined; clock: Clock },
): SuggestTip {
  let tip = disableMinPriorityFee ? 0n : defaultTip
  let askedAt: number | undefined
  let asking: Promise<void> | undefined

  async function ask(request: AskUpstream): Promise<void> {
    try {
      const answer = await withoutBudget(() => request<unknown>('eth_maxPriorityFeePerGas', []))
      if (typeof answer === 'string' && /^0x[\da-f]{1,64}$/i.test(answer)) tip = BigInt(answer)
    } catch (error) {
      // Use the last suggestion if upstream fails.
      if (!isNetworkError(error)) throw error
    }
    askedAt = clock.now()
  }

  return () => {
    if (!upstream || (askedAt !== undefined && clock.now() - askedAt < holdsMs)) return tip
    asking ??= ask(upstream).finally(() => {
      asking = undefined
    })
    return asking.then(() => tip)
  }
}
