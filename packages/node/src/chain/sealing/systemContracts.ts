import { type Address, type Fork, requireRules, type StateDiff } from '@understudy/evm'
import type { Header } from '../../ethereum/header.ts'
import { bytesFromHex, wordFromBigint } from '../../shared/hex.ts'
import { BaseView } from '../../state/baseView.ts'
import { emptyDiff } from '../../state/diff.ts'
import { loadCode } from '../../state/view.ts'
import type { BaseState } from '../../upstream/baseState.ts'

export const beaconRoots: Address = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
export const blockHashes: Address = '0x0000f90827f1c53a10cb7a02335b175320002935'
const ringLength = 8191n

/** The factory of contracts at the same address on every chain (EIP-7997 of 2026-07-17). */
export const factory: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const factoryCode = bytesFromHex(
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
)

/** The contracts that the protocol writes to at the start of a block. */
export const systemContracts: readonly Address[] = [beaconRoots, blockHashes]

/** The system contracts that exist upstream. */
export async function loadDeployedSystemContracts(base: BaseState): Promise<Set<Address>> {
  const view = new BaseView(base)
  const contracts = [...systemContracts, factory]
  await view.load({ accounts: contracts, codes: [], slots: [], blockHashes: [] })
  const deployed = new Set<Address>()
  for (const address of contracts) if ((await loadCode(view, address)).length > 0) deployed.add(address)
  return deployed
}

/**
 * The protocol's writes at the start of a block: the beacon root by time (EIP-4788) and the parent's hash by number
 * (EIP-2935). Written directly to the slots, because running the calls would first read every slot from upstream.
 * `deployed` has the existing contracts. `startsFork`: the block before is of a fork without access lists, or it is not known.
 */
export function systemWrites(
  header: Header,
  fork: Fork,
  deployed: ReadonlySet<Address>,
  startsFork = false,
): StateDiff {
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
  if (rules.accessLists && startsFork && !deployed.has(factory)) {
    diff.accounts.set(factory, { nonce: 1n, code: factoryCode })
  }
  return diff
}
