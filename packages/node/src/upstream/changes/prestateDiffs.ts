import type { Address, Hex } from '@understudy/evm'
import type { RawBlock } from '../answers.ts'
import type { Request } from '../transport/requests.ts'
import { wordOf } from './accessLists.ts'
import { addSlot, type BlockChanges, hasTransactions, noChanges, requireTransactionsOf } from './blockChanges.ts'
import { addBlockLevelChanges } from './protocolChanges.ts'

type Account = { balance?: Hex; nonce?: number; code?: Hex; storage?: Record<string, Hex> }
type Traced = { txHash?: Hex; result: { pre: Record<Address, Account>; post: Record<Address, Account> } }

const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }

/** Reads the changes of a block's transactions with the prestate tracer in diff mode, by block hash. */
export const loadFromPrestateDiffsByHash = (request: Request, block: RawBlock, signal: AbortSignal) =>
  load(request, block, ['debug_traceBlockByHash', block.hash], signal)

/** The same by block number, for upstreams that need it. */
export const loadFromPrestateDiffsByNumber = (request: Request, block: RawBlock, signal: AbortSignal) =>
  load(request, block, ['debug_traceBlockByNumber', block.number], signal)

async function load(
  request: Request,
  block: RawBlock,
  [method, key]: readonly [method: string, key: Hex],
  signal: AbortSignal,
): Promise<BlockChanges> {
  const changes = noChanges()
  if (hasTransactions(block)) {
    const traced = await request<Traced[]>(method, [key, tracer], { signal })
    requireTransactionsOf(
      block,
      traced.map(({ txHash }) => txHash),
    )
    for (const { result } of traced) addTransaction(changes, result)
  }
  await addBlockLevelChanges(request, block, changes, signal)
  return changes
}

/** `post` has the changed fields; a field that is only in `pre` was deleted, became zero, or is unchanged. */
function addTransaction(changes: BlockChanges, { pre, post }: Traced['result']): void {
  for (const mixedCase of new Set([...Object.keys(pre), ...Object.keys(post)]) as Set<Address>) {
    const address = mixedCase.toLowerCase() as Address
    const [before, after] = [pre[mixedCase], post[mixedCase]]
    if (!before || !after) {
      changes.wiped.add(address)
      continue
    }
    if (after.balance !== undefined) changes.balances.add(address)
    if (after.nonce !== undefined) changes.nonces.add(address)
    // A removed delegation (EIP-7702) leaves no code, and `post` omits it.
    if (after.code !== undefined || before.code?.startsWith('0xef0100')) changes.codes.add(address)
    for (const slot of Object.keys(before.storage ?? {})) addSlot(changes, address, wordOf(slot), undefined)
    for (const [slot, value] of Object.entries(after.storage ?? {}))
      addSlot(changes, address, wordOf(slot), BigInt(value))
  }
}
