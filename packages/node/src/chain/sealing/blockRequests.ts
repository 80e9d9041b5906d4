import { type Address, type ForkRules, requireRules, type Word } from '@understudy/evm'
import type { BlockRules } from '../../ethereum/rules.ts'
import type { ComputingTime } from '../../shared/budget/computingTime.ts'
import { isAnsweredError, isUpstreamAway } from '../../shared/errors.ts'
import { wordFromBigint } from '../../shared/hex.ts'
import type { LoadingView } from '../../state/view.ts'
import type { BlockBuilder } from './blockBuilder.ts'

/** A contract with a queue of requests to the consensus layer, from which each block takes some (EIP-7685). */
type RequestContract = {
  type: number
  address: Address
  since: keyof Pick<ForkRules, 'requests' | 'accessLists'>
}

/** In the order of their types: withdrawals (EIP-7002), consolidations (EIP-7251), deposits and exits of builders (EIP-8282). */
const contracts: readonly RequestContract[] = [
  {
    type: 1,
    address: '0x00000961ef480eb55e80d19ad83579a64c007002',
    since: 'requests',
  },
  {
    type: 2,
    address: '0x0000bbddc7ce488642fb579f8b00f3a590007251',
    since: 'requests',
  },
  {
    type: 3,
    address: '0x0000bff46984e3725691fa540a8c7589300d8282',
    since: 'accessLists',
  },
  {
    type: 4,
    address: '0x000064d678505ad48f8ccb093bc65613800e8282',
    since: 'accessLists',
  },
]

/** The slots of its excess, its count, and of the head and the tail of its queue. All are 0 when it is at rest. */
const slots: readonly Word[] = [0n, 1n, 2n, 3n].map((slot) => wordFromBigint(slot))

/** The contracts of a block. Chains on another chain have the field in their headers, but take no requests. */
function requestContractsOf({ fork, fees, l1Fees, arbitrum }: BlockRules): readonly RequestContract[] {
  if (l1Fees || arbitrum || fees?.type === 'optimism') return []
  const rules = requireRules(fork)
  return contracts.filter(({ since }) => rules[since])
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
