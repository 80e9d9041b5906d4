import { requireRules, type Word } from '@understudy/evm'
import { type RequestContract, requestContracts } from '../../ethereum/constants.ts'
import type { BlockRules } from '../../ethereum/rules.ts'
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
 * the others, which follow it.
 */
export async function findOwnQueues(view: LoadingView, rules: BlockRules): Promise<RequestContract[]> {
  const found: RequestContract[] = []
  for (const contract of requestContractsOf(rules)) {
    const { address } = contract
    if (!(await view.hasLocalSlot?.(address, slots))) continue
    if (slots.some((slot) => view.storage(address, slot) !== 0n)) found.push(contract)
  }
  return found
}

/** Takes the requests of a block from the queues, after its transactions. */
export async function collectRequests(
  builder: BlockBuilder,
  view: LoadingView,
  rules: BlockRules,
  time?: ComputingTime,
): Promise<void> {
  for (const { type, address } of await findOwnQueues(view, rules)) {
    try {
      await builder.takeRequests(type, address, time)
    } catch (error) {
      // A queue that is partly upstream's waits for a block for which upstream answers.
      if (!isUpstreamAway(error) && !isAnsweredError(error)) throw error
    }
  }
}
