import type { Address, Word } from '@understudy/evm'
import { bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { encodeRlp } from '../shared/rlp/encodeRlp.ts'
import type { Queries } from '../storage/database.ts'
import type { FollowRecord } from '../storage/records/state/follows.ts'
import {
  type KeptSlots,
  type LocalAccountRecord,
  loadLocalAccounts,
  loadWrittenSlots,
  type StateVersions,
} from '../storage/records/state/localState.ts'

/** The keys that a release returned to upstream. */
export type Released = { slots: number; accounts: number; codes: number }

/** The local record of an account without local state. */
export const notLocal: LocalAccountRecord = {
  balance: undefined,
  nonce: undefined,
  codeHash: undefined,
  storageSeq: undefined,
}

/**
 * The versions that return accounts (all fields, code and storage) or slots to upstream, and the returned keys. `seq`
 * is the number of the last change.
 */
export async function releaseOf(
  queries: Queries,
  targets: readonly FollowRecord[],
  seq: number,
): Promise<{ versions: StateVersions; released: Released }> {
  const versions: StateVersions = { accounts: new Map(), slots: new Map(), codes: new Map() }
  const released: Released = { slots: 0, accounts: 0, codes: 0 }
  const addresses = [...new Set(targets.map(({ address }) => address))]
  const records = await loadLocalAccounts(queries, addresses, seq)
  for (const address of addresses) {
    const ofAddress = targets.filter((target) => target.address === address)
    const isWhole = ofAddress.some(({ slot }) => slot === undefined)
    const record = records.get(address) ?? notLocal
    if (isWhole && Object.values(record).some((field) => field !== undefined)) {
      versions.accounts.set(address, notLocal)
      released.accounts++
      if (record.codeHash !== undefined) released.codes++
    }
    const written = await loadWrittenSlots(queries, address)
    const wanted = isWhole ? written : written.filter(({ slot }) => ofAddress.some((target) => target.slot === slot))
    if (wanted.length === 0) continue
    versions.slots.set(address, new Map(wanted.map(({ slot }) => [slot, undefined])))
    released.slots += wanted.filter(({ seq: writtenAt }) => writtenAt >= (record.storageSeq ?? 0)).length
  }
  return { versions, released }
}

/** The state commitment after these keys were released; see `nextCommitment`. */
export function commitmentAfterRelease(previous: Word, { accounts, slots }: StateVersions): Word {
  if (accounts.size === 0 && slots.size === 0) return previous
  const addresses: Address[] = [...new Set([...accounts.keys(), ...slots.keys()])].sort()
  const released = addresses.map((address) => [
    bytesFromHex(address),
    [...(slots.get(address)?.keys() ?? [])].sort().map(bytesFromHex),
  ])
  return keccak(encodeRlp([bytesFromHex(previous), Buffer.from('released'), released]))
}

/** The state commitment after everything except these slots was released. */
export function commitmentAfterWipe(previous: Word, keep: KeptSlots): Word {
  const kept = [...keep].map(([address, slots]) => [bytesFromHex(address), [...slots].sort().map(bytesFromHex)])
  return keccak(encodeRlp([bytesFromHex(previous), Buffer.from('wiped'), kept]))
}
