import type { BlockRun } from '../../../ethereum/emptyBlocks/blockRun.ts'
import type { Logger } from '../../../shared/logger.ts'
import { emptyDiff, mergeDiff } from '../../../state/diff.ts'
import type { State } from '../../../state/state.ts'
import type { Queries } from '../../../storage/database.ts'
import { addBlockRun } from '../../../storage/records/chain/blockRuns.ts'
import { blockClockKey, saveSetting } from '../../../storage/records/settings.ts'
import type { Base } from '../../../upstream/wantedState.ts'
import type { Block } from '../../block.ts'
import type { BuiltBlock } from '../blockBuilder.ts'
import type { BlockTime } from '../blockClock.ts'
import type { GroupNeeds } from '../blockGroup.ts'
import { announcedOfRun, changesLeftBy, lastBlocks } from './emptyRun.ts'

type Needs = Pick<GroupNeeds, 'engine' | 'observer' | 'blockClock'> & {
  state: State
  /** Called in the moment in which the last block is the head. */
  shown(head: Block): void
  /** Called when blocks are durable, oldest first. */
  onSealed(blocks: BuiltBlock[]): void
  logger: Logger
}

/** Stores a run of empty blocks on `base`, each of which has this time, and announces the newest of them. */
export async function commitEmptyRun(
  run: BlockRun,
  time: BlockTime | undefined,
  base: Base,
  { state, engine, observer, blockClock, shown, onSealed, logger }: Needs,
): Promise<void> {
  const live = state.live()
  const changes = changesLeftBy(run)
  const diff = emptyDiff()
  for (const change of changes) mergeDiff(diff, change.diff)
  const view = state.latest()
  const observation = observer.begin(view)
  observation.changed(diff)
  const identity = {}
  const blocks = lastBlocks(run, Number(announcedOfRun)).map(
    ({ hash, header, size }): BuiltBlock => ({
      block: { hash, header, base, live, transactions: [], size },
      receipts: [],
      accessList: undefined,
    }),
  )
  const { block } = blocks.at(-1) as BuiltBlock
  const startedAt = blockClock.settings
  blockClock.sealed(block.header.timestamp, time)
  try {
    await state.commit(changes, {
      base,
      identity,
      overwritten: run.count - changes.length,
      async save(queries: Queries, firstSeq: number) {
        await addBlockRun(queries, { firstSeq, run, baseNumber: base.number, baseHash: base.hash, live })
        if (time) await saveSetting(queries, blockClockKey, blockClock.settings)
      },
      shown: () => shown(block),
    })
  } catch (error) {
    blockClock.restore(startedAt)
    throw error
  }
  engine.advance(view.identity, identity, diff)
  observation.committed(state.latest())
  onSealed(blocks)
  logger.debug({ from: run.first.number, blocks: run.count }, 'Sealed empty blocks')
}
