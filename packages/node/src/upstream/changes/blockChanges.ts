import type { Address, Word } from '@understudy/evm'

/** What one block changed, or may have changed, in upstream's state: too much is safe, too little is not. */
export type BlockChanges = {
  /** Accounts that were created or destroyed: nothing known about them holds any more. */
  wiped: Set<Address>
  balances: Set<Address>
  nonces: Set<Address>
  codes: Set<Address>
  /** With the value after the block; `undefined` if only the change is known. */
  slots: Map<Address, Map<Word, bigint | undefined>>
  /** Accounts whose slots may all have changed. */
  storages: Set<Address>
}

export function noChanges(): BlockChanges {
  return {
    wiped: new Set(),
    balances: new Set(),
    nonces: new Set(),
    codes: new Set(),
    slots: new Map(),
    storages: new Set(),
  }
}

export function addSlot({ slots }: BlockChanges, address: Address, slot: Word, value: bigint | undefined): void {
  const values = slots.get(address)
  if (values) values.set(slot, value)
  else slots.set(address, new Map([[slot, value]]))
}
