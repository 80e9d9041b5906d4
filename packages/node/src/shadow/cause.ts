import type { Address, BlockContext, Word } from '@understudy/evm'
import { messageFrom } from '../chain/run/blockContext.ts'
import type { Transaction } from '../ethereum/transaction.ts'
import { runToEnd } from '../execution/run.ts'
import { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine } from '../shared/engine.ts'
import type { Overlay } from '../state/overlay.ts'
import type { Queries } from '../storage/database.ts'
import { loadShadowKeys } from '../storage/records/chain/shadowedTransactions.ts'
import type { Keys } from './accesses.ts'
import { CauseView } from './causeView.ts'
import type { LocalKeys } from './localKeys.ts'
import { balanceChanges, type ComparedRun, compareRuns } from './outcome.ts'

type Needs = {
  queries: Queries
  overridingEngine: Engine
  local: LocalKeys
  context: BlockContext
  /** The states before the transaction: of this network, and of the live chain. */
  here: Overlay
  live: Overlay
  /** What this network's own transactions wrote in the block. */
  own: Keys
  /** Which shadowed transaction of the block wrote a key last. */
  writers: ReadonlyMap<string, Word>
}

/** `causedBy`: the transactions whose consequences it read, at most some. */
export type Cause = { isCascade: boolean; causedBy: Word[] }

const causedByLimit = 5
/** The most computing time of a transaction, which other requests share. */
export const transactionMs = 60_000

/**
 * Why a transaction diverged: by itself, or only because others had diverged before it. It is run without what they left
 * other than the live chain has it.
 */
export async function findCause(transaction: Transaction, live: ComparedRun, read: Keys, needs: Needs): Promise<Cause> {
  const { queries, local, own, writers, context, overridingEngine: engine } = needs
  const known = new Map<Address, Promise<Map<Word | '', Word>>>()
  const keysOf = (address: Address) => {
    const found = known.get(address) ?? loadShadowKeys(queries, address)
    known.set(address, found)
    return found
  }
  const causedBy = new Set<Word>()
  for (const address of read.accounts) {
    if (!local.hasAccount(address) || own.accounts.has(address)) continue
    const hash = (await keysOf(address)).get('') ?? (local.hadAccount(address) ? undefined : writers.get(address))
    if (hash) causedBy.add(hash)
  }
  for (const [address, slots] of read.slots)
    for (const slot of slots) {
      if (own.slots.get(address)?.has(slot) || !(await local.hasSlot(address, [slot]))) continue
      const hash = (await keysOf(address)).get(slot) ?? writers.get(address + slot)
      if (hash && (hash === (await keysOf(address)).get(slot) || !(await local.hadSlot(address, [slot]))))
        causedBy.add(hash)
    }
  causedBy.delete(transaction.hash)
  if (causedBy.size === 0) return { isCascade: false, causedBy: [] }

  const view = new CauseView({
    ...needs,
    isRoot: {
      account: async (address) =>
        own.accounts.has(address) || (local.hadAccount(address) && !(await keysOf(address)).has('')),
      slot: async (address, slot) =>
        own.slots.get(address)?.has(slot) === true ||
        ((await local.hadSlot(address, [slot])) && !(await keysOf(address)).has(slot)),
    },
  })
  const message = messageFrom(transaction, context)
  const result = await runToEnd(engine, message, context, view, {
    kind: 'transaction',
    time: new ComputingTime(transactionMs),
  })
  if (result.type === 'rejected') return { isCascade: false, causedBy: [] }
  const { from } = transaction
  const payment = { from, coinbase: context.coinbase, gasPrice: message.gasPrice }
  const balances = await balanceChanges(result, view, payment)
  const isCascade = compareRuns(live, { result, balances }).fields.length === 0
  return { isCascade, causedBy: isCascade ? [...causedBy].slice(0, causedByLimit) : [] }
}
