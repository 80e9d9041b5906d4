import type { Address, Word } from '@understudy/evm'
import { NetworkError } from '../../shared/errors.ts'
import { loadStorage } from '../../state/view.ts'
import type { History } from '../history/history.ts'

/** What must hold of the latest block and its state, for a transaction to be accepted. */
export type TransactionConditions = {
  blockNumberMin?: bigint | undefined
  blockNumberMax?: bigint | undefined
  /** Seconds. */
  timestampMin?: bigint | undefined
  timestampMax?: bigint | undefined
  /** The values of slots, by account. */
  slots: ReadonlyMap<Address, ReadonlyMap<Word, bigint>>
}

/** Throws `CONDITION_FAILED` if a condition does not hold now. */
export async function requireConditions(
  conditions: TransactionConditions,
  history: Pick<History, 'head' | 'at'>,
): Promise<void> {
  const { number, timestamp } = history.head().header
  const { blockNumberMin = 0n, blockNumberMax = number, timestampMin = 0n, timestampMax = timestamp } = conditions
  if (number < blockNumberMin || number > blockNumberMax)
    throw new NetworkError('CONDITION_FAILED', { problem: `the latest block is ${number}` })
  if (timestamp < timestampMin || timestamp > timestampMax)
    throw new NetworkError('CONDITION_FAILED', { problem: `the latest block has the timestamp ${timestamp}` })
  const { view } = await history.at('latest')
  for (const [address, slots] of conditions.slots) {
    for (const [slot, wanted] of slots) {
      const value = await loadStorage(view, address, slot)
      if (value !== wanted)
        throw new NetworkError('CONDITION_FAILED', { problem: `slot ${slot} of ${address} is ${value}` })
    }
  }
}
