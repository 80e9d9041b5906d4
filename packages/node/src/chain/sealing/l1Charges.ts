import type { Address, Done, Hex, StateDiff, Word } from '@understudy/evm'
import {
  baseFeeVault,
  type L1Fees,
  l1Block,
  l1FeesOf,
  l1FeeVault,
  l1Slots,
  operatorFeeVault,
} from '../../ethereum/chains/l1Fees.ts'
import type { Header } from '../../ethereum/header.ts'
import { emptyDiff } from '../../state/diff.ts'
import { type LoadingView, loadAccountField, loadStorage, notLoaded } from '../../state/view.ts'

/** What a transaction of the OP Stack paid beside its gas, and what the vaults got. `view`: the state before it. */
export async function l1ChargesOf(
  { raw }: { raw: Hex },
  result: Done,
  view: LoadingView,
  header: Header,
): Promise<{ l1Fees: L1Fees; diff: StateDiff }> {
  const vaults = [baseFeeVault, l1FeeVault, operatorFeeVault]
  const slotsOfL1 = l1Slots.map((slot) => [l1Block, slot] as const)
  const wanted = { accounts: vaults, codes: [], slots: slotsOfL1, blockHashes: [] }
  await view.load(notLoaded(wanted, view))
  const read = (slot: Word) => loadStorage(view, l1Block, slot)
  const [baseFee, scalars, blobBaseFee, operator] = l1Slots
  const slots = [await read(baseFee), await read(scalars), await read(blobBaseFee), await read(operator)] as const
  const l1Fees = l1FeesOf({ raw }, result.gasUsed, slots, header)
  const balanceOf = async (address: Address) =>
    result.diff.accounts.get(address)?.balance ?? loadAccountField(view, address, 'balance')
  const diff = emptyDiff()
  const given = [
    [baseFeeVault, result.gasUsed * (header.baseFeePerGas ?? 0n)],
    [l1FeeVault, l1Fees.l1Fee],
    [operatorFeeVault, l1Fees.operatorFee],
  ] as const
  for (const [vault, wei] of given) if (wei > 0n) diff.accounts.set(vault, { balance: (await balanceOf(vault)) + wei })
  return { l1Fees, diff }
}
