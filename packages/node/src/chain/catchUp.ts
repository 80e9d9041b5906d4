import { decodeStoredTransaction } from '../ethereum/decodeTransaction.ts'
import type { LogEntry } from '../ethereum/log.ts'
import type { Events } from '../shared/events.ts'
import type { Logger } from '../shared/logger.ts'
import type { State } from '../state/state.ts'
import type { Queries } from '../storage/database.ts'
import { loadAnnouncedBlocks } from '../storage/records/chain/blocks.ts'
import { loadPendingHashes, loadPendingTransactions } from '../storage/records/chain/pendingTransactions.ts'
import { loadLowestRewind } from '../storage/records/chain/rewinds.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import type { Block, Head } from './block.ts'
import type { ChainEvents } from './chainEvents.ts'
import type { Pool } from './pool/pool.ts'
import type { Sealer } from './sealing/sealer.ts'
import { loadStoredBlock, loadStoredReceipts } from './store/blockStore.ts'

type Needs = {
  state: State
  pool: Pool
  sealer: Sealer
  events: Events<ChainEvents>
  /** The parent of the first block of the network. */
  origin: Head
  logger: Logger
}

/** Loads what another node sealed and emits its events as if it had been sealed here. Call inside `state.exclusive`. */
export function createCatchUp({ logRowsLimit }: { logRowsLimit: number }, needs: Needs) {
  const { state, pool, sealer, events, origin, logger } = needs
  /** Logs that were announced to listeners: once their blocks are reverted, they can no longer be loaded. */
  let toldLogs: LogEntry[] = []

  /** The pool contains what is stored. */
  async function refreshPool(queries: Queries): Promise<void> {
    const stored = new Set(await loadPendingHashes(queries))
    for (const entry of [...pool.entries()]) if (entry.stored && !stored.has(entry.transaction.hash)) pool.remove(entry)
    const fresh = [...stored].filter((hash) => !pool.get(hash))
    for (const { raw, sender } of await loadPendingTransactions(queries, fresh)) {
      const transaction = decodeStoredTransaction({ raw, sender })
      try {
        pool.add(transaction, () => {}, { stored: true })
      } catch (error) {
        logger.debug({ err: error, hash: transaction.hash }, 'Skipped a pending transaction of another node')
        continue
      }
      events.emit('pending', transaction)
    }
  }

  function tellBlock(block: Block, receipts: Awaited<ReturnType<typeof loadStoredReceipts>> = []): void {
    for (const transaction of block.transactions) if (!pool.get(transaction.hash)) events.emit('pending', transaction)
    events.emit('block', { block, receipts })
    if (events.isHeard('logsRemoved'))
      toldLogs = [...toldLogs, ...receipts.flatMap(({ logs }) => logs)].slice(-logRowsLimit)
    else toldLogs = []
  }

  async function tellBlocks(queries: Queries, after: bigint, upTo: bigint): Promise<void> {
    if (!events.isHeard('block') && !events.isHeard('pending')) return
    for (const { number } of await loadAnnouncedBlocks(queries, after + 1n, upTo)) {
      const stored = await loadStoredBlock(queries, { number })
      if (stored) tellBlock(stored.block, await loadStoredReceipts(queries, number))
    }
  }

  async function tellRewind(queries: Queries, number: bigint): Promise<void> {
    const removed = toldLogs.filter(({ blockNumber }) => blockNumber > number)
    toldLogs = toldLogs.filter(({ blockNumber }) => blockNumber <= number)
    if (removed.length > 0) events.emit('logsRemoved', removed)
    events.emit('reverted', (await loadStoredBlock(queries, { number }))?.block ?? origin)
  }

  return async (notice: ChangeNotice): Promise<void> => {
    const { queries, isChanged } = notice
    const before = sealer.head.header.number
    const seq = state.seq()
    const head = (await loadStoredBlock(queries, 'newest'))?.block ?? origin
    const isMoved = head.hash !== sealer.head.hash
    const rewound = isChanged('rewinds') ? await loadLowestRewind(queries, seq) : undefined
    await state.refresh(notice, head.base)
    sealer.moveTo(head)
    const first = rewound !== undefined && rewound < before ? rewound : before
    if (rewound !== undefined) await tellRewind(queries, first)
    if (isMoved) await tellBlocks(queries, first, head.header.number)
    if (isChanged('pending_transactions')) await refreshPool(queries)
    if (isMoved) events.emit('head', head)
  }
}
