import type { Address, StateDiff } from '@understudy/evm'
import { emptyDiff } from '../state/diff.ts'

/** Gives accounts their balance; what upstream has as code at these well-known addresses is masked. */
export function fundedDiff(accounts: readonly Address[], balance: bigint): StateDiff {
  const code = new Uint8Array()
  return { ...emptyDiff(), accounts: new Map(accounts.map((address) => [address, { balance, code }])) }
}
