import type { Address, StateDiff, Word } from '@understudy/evm'
import type { Overlay } from '../state/overlay.ts'
import { type LoadingView, loadAccount, loadCode } from '../state/view.ts'
import type { ShadowKey } from '../storage/records/chain/shadowedTransactions.ts'
import { type Keys, wantedOf } from './accesses.ts'

type Needs = {
  /** What the block changes; it is corrected. */
  diff: StateDiff
  /** The keys that shadowed transactions wrote, on the live chain or here. */
  written: Keys
  /** Accounts that they created or destroyed: here, and on the live chain. */
  cleared: { here: ReadonlySet<Address>; live: ReadonlySet<Address> }
  /** The state here after the block, and that of the live chain. */
  here: Overlay
  live: LoadingView
  /** Whether a key was local before they ran: it stays local. */
  isOwn: {
    field(address: Address, field: AccountField): boolean
    slot(address: Address, slot: Word): Promise<boolean>
  }
  coinbase: Address
}

export type AccountField = 'balance' | 'nonce' | 'code'

/**
 * Leaves in a block only what its shadowed transactions made other than the live chain did: the rest follows the live
 * chain. Returns the keys that are local for this reason.
 */
export async function settle(needs: Needs): Promise<ShadowKey[]> {
  const { diff, written, cleared, here, live, isOwn, coinbase } = needs
  const keys = wantedOf(written)
  await Promise.all([here.load(keys), live.load(keys)])
  const local: ShadowKey[] = []
  for (const address of cleared.live) if (!cleared.here.has(address)) diff.cleared.add(address)
  for (const address of cleared.here) if (cleared.live.has(address)) diff.cleared.delete(address)

  for (const address of written.accounts) {
    const [ours, theirs] = [await loadAccount(here, address), await loadAccount(live, address)]
    const fields = { ...diff.accounts.get(address) }
    let differs = false
    const set = async (field: AccountField, isEqual: boolean, change: () => Promise<typeof fields>) => {
      if (isOwn.field(address, field)) return
      delete fields[field]
      if (isEqual) return
      Object.assign(fields, await change())
      differs = true
    }
    // Every transaction of the live block pays the coinbase, and not all of them run here.
    const isPaid = address === coinbase || ours.balance === theirs.balance
    await set('balance', isPaid, async () => ({ balance: ours.balance }))
    await set('nonce', ours.nonce === theirs.nonce, async () => ({ nonce: ours.nonce }))
    await set('code', ours.codeHash === theirs.codeHash, async () => ({ code: await loadCode(here, address) }))
    if (Object.keys(fields).length > 0) diff.accounts.set(address, fields)
    else diff.accounts.delete(address)
    if (differs) local.push({ address, slot: undefined })
  }
  for (const [address, slots] of written.slots) {
    for (const slot of slots) {
      if (await isOwn.slot(address, slot)) continue
      const value = here.storage(address, slot)
      if (value === undefined) throw new Error('The state of a block was loaded, and does not have what was loaded')
      if (value === live.storage(address, slot) && !diff.cleared.has(address)) {
        diff.slots.get(address)?.delete(slot)
        continue
      }
      const values = diff.slots.get(address) ?? new Map<Word, bigint>()
      diff.slots.set(address, values.set(slot, value))
      local.push({ address, slot })
    }
    if (diff.slots.get(address)?.size === 0) diff.slots.delete(address)
  }
  return local
}
