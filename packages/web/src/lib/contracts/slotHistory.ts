import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { type Result, rpc } from '../rpc/rpc.ts'

/** How many changes are loaded: each is run again to find its line. */
const limit = 10

export type SlotWrite = Result<'dev_getSlotHistory'>['items'][number]

/** The newest changes of a slot, with their lines. */
export function useSlotHistory(address: Address, slot: Hex) {
  return useQuery({
    queryKey: ['local', 'slotHistory', address, slot],
    queryFn: () => rpc('dev_getSlotHistory', address, slot, { limit, lines: true }),
  })
}
