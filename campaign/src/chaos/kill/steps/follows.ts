import type { Address, Hex } from 'viem'
import { trafficKeys } from '../liveTraffic.ts'
import { quantity, type Rpc } from '../rpc.ts'
import { madeUpAddress, madeUpWord, type Step, slotOfValue, type Worker } from '../worker.ts'

/** What a key reads: the live chain's value, a local value, or, while it is followed, the live chain's head. */
type Known = { isFollowed: boolean; isFrozen: boolean }
type Followed = { accounts: Address[]; slots: Record<Address, Hex[]> }

/** A value that the live chain never has. */
const frozen = 987_654_321

/** Makes a key local, follows it, and stops following it. */
async function advance(
  { register }: Worker,
  key: string,
  read: (rpc: Rpc) => Promise<Known>,
  requests: { freeze: () => Promise<unknown>; follow: () => Promise<unknown>; unfollow: () => Promise<unknown> },
): Promise<void> {
  if (register.value(key) === undefined) register.know(key, read, { isFollowed: false, isFrozen: false })
  const { isFollowed, isFrozen } = register.value<Known>(key) as Known
  if (isFollowed) await register.change(key, { isFollowed: false, isFrozen: false }, requests.unfollow)
  else if (isFrozen) await register.change(key, { isFollowed: true, isFrozen: false }, requests.follow)
  else await register.change(key, { isFollowed: false, isFrozen: true }, requests.freeze)
}

/** A slot that the live chain's traffic writes. */
export const followSlot: Step = (worker) => {
  const { reader } = worker.live
  const own = Array.from({ length: trafficKeys }, (_, key) => key).filter((key) => `${key % 4}` === worker.name.at(-1))
  const slot = slotOfValue(worker.random.pick(own))
  const read = async (rpc: Rpc) => {
    const { slots } = await rpc<Followed>('dev_getFollowed')
    const value = await rpc('eth_getStorageAt', reader, slot, 'latest')
    return { isFollowed: slots[reader]?.includes(slot) ?? false, isFrozen: value === madeUpWord(frozen) }
  }
  return advance(worker, `slot ${slot} of the reader`, read, {
    freeze: () => worker.rpc('dev_setStorageAt', reader, slot, madeUpWord(frozen)),
    follow: () => worker.rpc('dev_followSlots', reader, [slot]),
    unfollow: () => worker.rpc('dev_unfollowSlots', reader, [slot]),
  })
}

/** A whole account, with a slot of it. */
export const followAccount: Step = (worker) => {
  const address = madeUpAddress(`${worker.name} followed ${worker.random.below(3)}`)
  const read = async (rpc: Rpc) => {
    const { accounts } = await rpc<Followed>('dev_getFollowed')
    const balance = await rpc('eth_getBalance', address, 'latest')
    return { isFollowed: accounts.includes(address), isFrozen: balance === quantity(frozen) }
  }
  return advance(worker, `account ${address}`, read, {
    freeze: () => worker.rpc('dev_setBalance', address, String(frozen)),
    follow: () => worker.rpc('dev_followAccount', address),
    unfollow: () => worker.rpc('dev_unfollowAccount', address),
  })
}
