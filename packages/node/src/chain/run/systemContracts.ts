import { type Address, type Fork, requireRules, type StateDiff } from '@understudy/evm'
import { requestContracts } from '../../ethereum/constants.ts'
import type { Header } from '../../ethereum/header.ts'
import { beaconRoots, blockHashes, ringWrites, type SystemRings } from '../../ethereum/systemRings.ts'
import { bytesFromHex } from '../../shared/hex.ts'
import { BaseView } from '../../state/baseView.ts'
import { emptyDiff } from '../../state/diff.ts'
import { loadCode } from '../../state/view.ts'
import type { BaseState } from '../../upstream/cache/baseState.ts'

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
  const contracts = [...systemContracts, ...requestContracts.map(({ address }) => address), factory]
  await view.load({ accounts: contracts, codes: [], slots: [], blockHashes: [] })
  const deployed = new Set<Address>()
  for (const address of contracts) if ((await loadCode(view, address)).length > 0) deployed.add(address)
  return deployed
}

/** The contracts that the protocol writes to in a block of a fork. */
export function ringsOf(fork: Fork, deployed: ReadonlySet<Address>): SystemRings {
  const rules = requireRules(fork)
  return {
    beaconRoots: rules.blobs && deployed.has(beaconRoots),
    blockHashes: rules.requests && deployed.has(blockHashes),
  }
}

/**
 * The protocol's writes at the start of a block. Written directly to the slots, because running the calls would first
 * read every slot from upstream. `deployed` has the existing contracts. `startsFork`: the block before is of a fork without access lists, or it is not known.
 */
export function systemWrites(
  header: Header,
  fork: Fork,
  deployed: ReadonlySet<Address>,
  startsFork = false,
): StateDiff {
  const diff = { ...emptyDiff(), slots: ringWrites(header, ringsOf(fork, deployed)) }
  if (requireRules(fork).accessLists && startsFork && !deployed.has(factory)) {
    diff.accounts.set(factory, { nonce: 1n, code: factoryCode })
  }
  return diff
}
