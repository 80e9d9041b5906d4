import type { Address } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import type { StorageEntry } from '../../../lib/contracts/storage.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

/** Writes one variable. Those that share its slot keep their values. */
export function useSetVariable(address: Address, { path, slot, offset, bytes: size }: StorageEntry) {
  return useAction(
    (text: string) => rpc('dev_setStorageVariable', address, { slot, offset, size, value: numberFrom(text) }),
    () => `${path} updated`,
  )
}

/** The network takes numbers; booleans are 1 and 0. */
function numberFrom(text: string): string {
  return text === 'true' ? '1' : text === 'false' ? '0' : text
}
