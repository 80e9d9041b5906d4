import type { Word } from '@understudy/evm'
import type { Withdrawal } from '../ethereum/withdrawal.ts'
import type { CallOverrides, CallRequest } from '../execution/execution.ts'
import type { StateOverrides } from '../execution/stateOverrides.ts'
import { NetworkError } from '../shared/errors.ts'

/** Overrides of a block. */
export type SimulatedBlockOverrides = NonNullable<CallOverrides['block']> & {
  parentBeaconBlockRoot?: Word
  withdrawals?: readonly Withdrawal[]
}

/** A requested block. */
export type SimulatedBlockRequest = {
  overrides: SimulatedBlockOverrides
  state: StateOverrides | undefined
  calls: readonly CallRequest[]
}

/** A block with its number and its time in seconds. */
export type PlannedBlock = SimulatedBlockRequest & { number: bigint; timestamp: bigint }

/** Maximum number of blocks of one simulation, including gap fillers. */
const blockLimit = 256
/** Seconds between blocks: mainnet's, as in other clients' simulations. */
const blockSeconds = 12n

/**
 * Assigns numbers and times to blocks, and fills gaps between numbers with empty blocks. Throws if they do not
 * increase, or if there are too many.
 */
export function planBlocks(
  requests: readonly SimulatedBlockRequest[],
  base: { number: bigint; timestamp: bigint },
): PlannedBlock[] {
  const planned: PlannedBlock[] = []
  let { number, timestamp } = base
  for (const request of requests) {
    const { number: wanted = number + 1n, timestamp: time } = request.overrides
    if (wanted <= number)
      throw new NetworkError('SIMULATED_NUMBER_NOT_INCREASING', { number: wanted, previous: number })
    if (wanted - base.number > BigInt(blockLimit))
      throw new NetworkError('SIMULATION_TOO_LARGE', { what: `more than ${blockLimit} blocks` })
    while (number + 1n < wanted) {
      number++
      timestamp += blockSeconds
      planned.push({ overrides: {}, state: undefined, calls: [], number, timestamp })
    }
    const at = time ?? timestamp + blockSeconds
    if (at <= timestamp) throw new NetworkError('SIMULATED_TIME_NOT_INCREASING', { timestamp: at, previous: timestamp })
    number = wanted
    timestamp = at
    planned.push({ ...request, number, timestamp })
  }
  return planned
}
