import { type Address, type Fork, requireRules, type StateDiff } from '@understudy/evm'
import type { Header } from '../../ethereum/header.ts'
import { wordFromBigint } from '../../shared/hex.ts'
import { BaseView } from '../../state/baseView.ts'
import { emptyDiff } from '../../state/diff.ts'
import { loadCode } from '../../state/view.ts'
import type { BaseState } from '../../upstream/baseState.ts'

export const beaconRoots: Address = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
export const blockHashes: Address = '0x0000f90827f1c53a10cb7a02335b175320002935'
const ringLength = 8191n

/** The contracts that the protocol writes to at the start of a block. */
export const systemContracts: readonly Address[] = [beaconRoots, blockHashes]

/** The system contracts that exist upstream. */
export async function loadDeployedSystemContracts(base: BaseState): Promise<Set<Address>> {
  const view = new BaseView(base)
  await view.load({ accounts: systemContracts, codes: [], slots: [], blockHashes: [] })
  const deployed = new Set<Address>()
  for (const address of systemContracts) if ((await loadCode(view, address)).length > 0) deployed.add(address)
  return deployed
}

/**
 * The protocol's writes at the start of a block: the beacon root by time (EIP-4788) and the parent's hash by number
 * (EIP-2935). Written directly to the slots, because running the calls would first read every slot from upstream.
 * `deployed` has the existing contracts.
 */
export function systemWrites(header: Header, fork: Fork, deployed: ReadonlySet<Address>): StateDiff {
  const diff = emptyDiff()
  const rules = requireRules(fork)
  if (rules.blobs && deployed.has(beaconRoots)) {
    const index = header.timestamp % ringLength
    diff.slots.set(
      beaconRoots,
      new Map([
        [wordFromBigint(index), header.timestamp],
        [wordFromBigint(index + ringLength), BigInt(header.parentBeaconBlockRoot ?? 0)],
      ]),
    )
  }
  if (rules.requests && deployed.has(blockHashes))
    diff.slots.set(
      blockHashes,
      new Map([[wordFromBigint((header.number - 1n) % ringLength), BigInt(header.parentHash)]]),
    )
  return diff
}
