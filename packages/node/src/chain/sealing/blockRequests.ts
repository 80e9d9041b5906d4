import { requireRules, type Word } from '@understudy/evm'
import { type RequestContract, requestContracts } from '../../ethereum/constants.ts'
import type { BlockRules } from '../../ethereum/rules.ts'
import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import type { ComputingTime } from '../../shared/budget/computingTime.ts'
import { isAnsweredError, isUpstreamAway } from '../../shared/errors.ts'
import { wordFromBigint } from '../../shared/hex.ts'
import type { LoadingView } from '../../state/view.ts'
import type { BlockBuilder } from './blockBuilder.ts'

/** The slots of a contract's excess and count, and of the head and the tail of its queue. All are 0 when it is at rest. */
const slots: readonly Word[] = [0n, 1n, 2n, 3n].map((slot) => wordFromBigint(slot))

/** The contracts of a block. Chains on another chain have the field in their headers, but take no requests. */
export function requestContractsOf({ fork, fees, l1Fees, arbitrum }: BlockRules): readonly RequestContract[] {
  if (l1Fees || arbitrum || fees?.type === 'optimism') return []
  const rules = requireRules(fork)
  return requestContracts.filter(({ since }) => rules[since])
}

/**
 * Those of the contracts whose call changes something. Only those with local slots: the live chain empties the queues of
 * the others, which follow it. At once where that is in memory.
 */
export function findOwnQueues(view: LoadingView, rules: BlockRules): MaybePromise<RequestContract[]> {
  const contracts = requestContractsOf(rules)
  const areLocal = contracts.map(({ address }) => view.hasLocalSlot?.(address, slots) ?? false)
  const used = (areLocal: readonly boolean[]) =>
    contracts.filter(
      ({ address }, index) => areLocal[index] && slots.some((slot) => view.storage(address, slot) !== 0n),
    )
  const isKnown = (local: MaybePromise<boolean>) => typeof local === 'boolean'
  return areLocal.every(isKnown) ? used(areLocal as boolean[]) : Promise.all(areLocal).then(used)
}

/** Takes the requests of a block from the queues, after its transactions; `undefined` if it has none. */
export function collectRequests(
  builder: BlockBuilder,
  view: LoadingView,
  rules: BlockRules,
  time?: ComputingTime,
): Promise<void> | undefined {
  const queues = findOwnQueues(view, rules)
  if (Array.isArray(queues) && queues.length === 0) return undefined
  return takeRequests(builder, queues, time)
}

async function takeRequests(
  builder: BlockBuilder,
  queues: MaybePromise<RequestContract[]>,
  time: ComputingTime | undefined,
): Promise<void> {
  for (const { type, address } of await queues) {
    try {
      await builder.takeRequests(type, address, time)
    } catch (error) {
      // A queue that is partly upstream's waits for a block for which upstream answers.
      if (!isUpstreamAway(error) && !isAnsweredError(error)) throw error
    }
  }
}
