import type { Address, Hex } from '@understudy/evm'
import type { RawBlock } from '../answers.ts'
import type { Request } from '../transport/requests.ts'
import { wordOf } from './accessLists.ts'
import { addSlot, type BlockChanges, noChanges } from './blockChanges.ts'
import { addBlockLevelChanges } from './protocolChanges.ts'
import { hasTransactions, requireTransactionsOf } from './transactions.ts'

type Account = { balance?: Hex; nonce?: number; code?: Hex; storage?: Record<string, Hex> }
type Traced = { txHash?: Hex; result: { pre: Record<Address, Account>; post: Record<Address, Account> } }

const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }

/** Reads what a block's transactions changed from the prestate tracer in its mode for differences, the block named by its hash. */
export const loadFromPrestateDiffsByHash = (request: Request, block: RawBlock, signal: AbortSignal) =>
  load(request, block, ['debug_traceBlockByHash', block.hash], signal)

/** The same, of upstreams that want its number. */
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

/** `post` holds the fields that changed; what is in `pre` alone is gone, or became zero, or is there without a reason. */
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
    // A delegation that was taken back (EIP-7702) leaves no code, which `post` leaves out.
    if (after.code !== undefined || before.code?.startsWith('0xef0100')) changes.codes.add(address)
    for (const slot of Object.keys(before.storage ?? {})) addSlot(changes, address, wordOf(slot), undefined)
    for (const [slot, value] of Object.entries(after.storage ?? {}))
      addSlot(changes, address, wordOf(slot), BigInt(value))
  }
}
