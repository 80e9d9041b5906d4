import { type Address, replayEvents, type TracedRun, type Word } from '@understudy/evm'
import { isNetworkError } from '../../shared/errors.ts'
import { wordFromBigint } from '../../shared/hex.ts'
import type { SourceLocation, StepLocations } from '../runs/runLines.ts'
import type { Traces } from '../traces.ts'

const sstore = 0x55

type Writing = { block: bigint; transaction: Word | undefined; location: SourceLocation | undefined }

/** Finds the lines that wrote a slot. */
export type WriteLocations = {
  /**
   * Notes the line of each write by a transaction. Each block is run once, newest first; those for which the request has no time
   * left keep none.
   */
  add(writes: readonly Writing[], slot: { address: Address; slot: Word }): Promise<void>
}

type Needs = { traces: Pick<Traces, 'runBlock'>; locationOf: StepLocations }

export function createWriteLocations({ traces, locationOf }: Needs): WriteLocations {
  async function addTo(block: bigint, ofBlock: ReadonlyMap<Word, Writing>, key: { address: Address; slot: Word }) {
    let left = ofBlock.size
    for await (const { hash, run } of traces.runBlock({ number: block })) {
      const writing = ofBlock.get(hash)
      if (!writing) continue
      const write = await lastWrite(run, key.address, key.slot)
      if (write) writing.location = await locationOf(run, write.index, write.pc)
      if (--left === 0) return
    }
  }

  return {
    async add(writes, key) {
      const byBlock = new Map<bigint, Map<Word, Writing>>()
      for (const writing of writes) {
        if (writing.transaction === undefined) continue
        const ofBlock = byBlock.get(writing.block) ?? new Map<Word, Writing>()
        byBlock.set(writing.block, ofBlock.set(writing.transaction, writing))
      }
      try {
        for (const [block, ofBlock] of byBlock) await addTo(block, ofBlock, key)
      } catch (error) {
        if (!isNetworkError(error, 'EXECUTION_TOO_LONG')) throw error
      }
    },
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
