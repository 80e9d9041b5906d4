import { type Address, replayEvents, type TracedRun, type Word } from '@understudy/evm'
import { type PageOf, wrongCursor } from '../activity/page.ts'
import type { KnownContracts } from '../contracts/knownContracts.ts'
import { wordFromBigint } from '../shared/hex.ts'
import type { Database } from '../storage/database.ts'
import { loadNewestBlockBefore } from '../storage/records/chain/blocks.ts'
import { loadSlotVersions, loadTransactionsTo, type SlotVersion } from '../storage/records/state/slotVersions.ts'
import type { LoadRunLines, RunPlace } from './runLines.ts'
import type { Traces } from './traces.ts'

const sstore = 0x55

/** One change of a slot. A value of `undefined` is that of the live chain. */
export type SlotWrite = {
  /** The block that changed it, or the newest one before a change between blocks. */
  block: bigint
  /** The transaction that wrote it last in its block; `undefined` when no transaction did. */
  transaction: Word | undefined
  before: bigint | undefined
  after: bigint | undefined
  /** The line that wrote it, if it was asked for and is known. */
  place: RunPlace | undefined
}

export type SlotHistoryQuery = {
  address: Address
  slot: Word
  limit: number
  /** `next` of the previous page. */
  cursor: string | undefined
  /** Whether to run the transactions again to find their lines. */
  lines: boolean
}

/** Every change of a slot on this network, newest first. Throws `INVALID_PARAMS` for a wrong cursor. */
export type SlotHistory = {
  of(query: SlotHistoryQuery, traces: Pick<Traces, 'runTransaction'>): Promise<PageOf<SlotWrite>>
}

type Needs = { database: Pick<Database, 'queries'>; loadLines: LoadRunLines; abis: KnownContracts }

export function createSlotHistory({ database: { queries }, loadLines, abis }: Needs): SlotHistory {
  return {
    async of({ address, slot, limit, cursor, lines }, { runTransaction }) {
      if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw wrongCursor()
      const before = cursor === undefined ? undefined : Number(cursor)
      const versions = await loadSlotVersions(queries, { address, slot }, { before, limit: limit + 1 })
      const items: SlotWrite[] = []
      for (const [index, version] of versions.slice(0, limit).entries()) {
        const write = await writerOf(version)
        items.push({ ...write, before: versions[index + 1]?.value, after: version.value })
      }
      return { items, next: versions.length > limit ? `${versions[limit - 1]?.seq}` : undefined }

      async function writerOf({ seq, blockNumber }: SlotVersion) {
        if (blockNumber === undefined) {
          const block = await loadNewestBlockBefore(queries, seq)
          return { block: block?.number ?? 0n, transaction: undefined, place: undefined }
        }
        // Of several that called the contract, the last one that wrote the slot.
        const callers = (await loadTransactionsTo(queries, blockNumber, address)).reverse()
        if (callers.length === 1 && !lines) return { block: blockNumber, transaction: callers[0], place: undefined }
        for (const transaction of callers) {
          const run = await runTransaction(transaction)
          const write = await lastWrite(run, address, slot)
          if (write) return { block: blockNumber, transaction, place: lines ? await placeOf(run, write) : undefined }
        }
        return { block: blockNumber, transaction: undefined, place: undefined }
      }
    },
  }

  async function placeOf(run: TracedRun, { index, pc }: Write): Promise<RunPlace | undefined> {
    const frame = run.result.frames[index]
    if (!frame) return undefined
    const codeLines = (await loadLines(run, [index])).get(index)
    const place = codeLines?.near(pc) ?? codeLines?.at(pc)
    const contract = (await abis.load([frame.to])).get(frame.to)?.name
    return { address: frame.to, contract, file: place?.file, line: place?.line, function: place?.function }
  }
}

type Write = { index: number; pc: number }

/** Where a run wrote a slot last, in a frame that did not fail. */
async function lastWrite(run: TracedRun, address: Address, slot: Word): Promise<Write | undefined> {
  const writes: Write[] = []
  const open: number[] = []
  await replayEvents(
    run,
    {
      enter: (_, index) => open.push(index),
      step({ op, pc, error, stack, address: account }) {
        const index = open.at(-1)
        if (op !== sstore || error !== undefined || index === undefined) return
        if (account === address && wordFromBigint(stack.at(-1) ?? 0n) === slot) writes.push({ index, pc })
      },
      exit({ error }, index) {
        open.pop()
        if (error === undefined) return
        // Frames are numbered in the order in which they begin, so those inside have higher numbers.
        const failed = writes.findIndex((write) => write.index >= index)
        if (failed >= 0) writes.length = failed
      },
    },
    { operations: new Set([sstore]), memory: false },
  )
  return writes.at(-1)
}
