import type { Address, Hex } from '@understudy/evm'
import type { RawBlock } from '../answers.ts'
import type { Request } from '../transport/requests.ts'
import { wordOf } from './accessLists.ts'
import { addSlot, type BlockChanges, hasTransactions, noChanges, requireTransactionsOf } from './blockChanges.ts'
import { addBlockLevelChanges } from './protocolChanges.ts'

/** A change of a value in OpenEthereum's format: none, created, deleted, or from one value to another. */
type Delta = '=' | { '+': Hex } | { '-': Hex } | { '*': { from: Hex; to: Hex } }
type AccountDiff = { balance: Delta; nonce: Delta; code: Delta; storage: Record<string, Delta> }
type Replayed = { stateDiff: Record<Address, AccountDiff>; transactionHash?: Hex }

/** Reads the changes of a block's transactions from `trace_replayBlockTransactions`. */
export async function loadFromStateDiffs(
  request: Request,
  block: RawBlock,
  signal: AbortSignal,
): Promise<BlockChanges> {
  const changes = noChanges()
  if (hasTransactions(block)) {
    const params = [block.number, ['stateDiff']]
    const replayed = await request<Replayed[]>('trace_replayBlockTransactions', params, { signal })
    requireTransactionsOf(
      block,
      replayed.map(({ transactionHash }) => transactionHash),
    )
    for (const { stateDiff } of replayed) addTransaction(changes, stateDiff)
  }
  await addBlockLevelChanges(request, block, changes, signal)
  return changes
}

function addTransaction(changes: BlockChanges, stateDiff: Record<Address, AccountDiff>): void {
  for (const [mixedCase, account] of Object.entries(stateDiff)) {
    const address = mixedCase.toLowerCase() as Address
    // A created or deleted balance means that the account was.
    if (account.balance !== '=' && !('*' in account.balance)) changes.wiped.add(address)
    if (account.balance !== '=') changes.balances.add(address)
    if (account.nonce !== '=') changes.nonces.add(address)
    if (account.code !== '=') changes.codes.add(address)
    for (const [slot, delta] of Object.entries(account.storage))
      if (delta !== '=') addSlot(changes, address, wordOf(slot), valueAfter(delta))
  }
}

function valueAfter(delta: Exclude<Delta, '='>): bigint | undefined {
  if ('*' in delta) return BigInt(delta['*'].to)
  return '+' in delta ? BigInt(delta['+']) : undefined
}
