import type { Base } from '../../../upstream/wantedState.ts'
import type { AskUpstream } from '../../origins.ts'
import type { UpstreamBlock } from '../blockGroup.ts'
import type { BlockShadow } from '../blockShadow.ts'
import { blocksUpTo } from '../upstreamBlocks.ts'
import { createManualMode } from './manual.ts'
import type { SealingMode, SealingModeNeeds } from './sealingMode.ts'

type Needs = SealingModeNeeds & {
  isInForce(): boolean
  upstream: AskUpstream | undefined
  /** The upstream block to replay up to; `undefined` if the base does not move. */
  target(): UpstreamBlock | undefined
  /** What runs upstream's transactions too; `undefined` if they are not run. */
  shadow(): BlockShadow | undefined
  /** Called with blocks that were read to be replayed. */
  onRead(blocks: readonly UpstreamBlock[]): void
}

/** How many blocks are read at once to be shadowed; each may have megabytes. */
const readAhead = 4

/** Seals one block for each upstream block. If upstream's head goes back, waits until it is ahead again. */
export function createReplayMode({ replayMaxGap }: { replayMaxGap: number }, needs: Needs): SealingMode {
  const { sealer, seal, isRunning, isInForce, upstream, logger } = needs
  let replaying: Promise<void> | undefined

  async function replay(): Promise<void> {
    while (isInForce() && isRunning()) {
      const { base } = sealer.head
      const target = needs.target()
      if (!target || target.number <= base.number || !upstream) return
      const blocks = await blocksUpTo(target, base.number, replayMaxGap, upstream)
      needs.onRead(blocks)
      const shadow = needs.shadow()
      const [first] = blocks
      if (first && shadow?.includes(first) && (await shadow.followReorg(first))) continue
      if (shadow) await replayWith(shadow, blocks)
      else await seal(() => sealer.sealReplayed(blocks))
    }
  }

  /** Seals them one by one, and reads those after it ahead. */
  async function replayWith(shadow: BlockShadow, blocks: readonly UpstreamBlock[]): Promise<void> {
    const prepare = (block: UpstreamBlock | undefined, before: Base) => {
      const isNext = block && block.header.parentHash === before.hash && shadow.includes(block)
      const prepared = isNext ? shadow.prepare(block) : undefined
      // Awaited below, unless the loop ends before.
      prepared?.catch(() => {})
      return prepared
    }
    let before = sealer.head.base
    const read: ReturnType<typeof prepare>[] = []
    for (const [index, block] of blocks.entries()) {
      for (const next of blocks.slice(index + read.length, index + readAhead)) {
        read.push(prepare(next, before))
        before = next
      }
      const prepared = await read.shift()
      if (prepared) await shadow.pace(block)
      if (!isInForce() || !isRunning()) return
      await seal(() => sealer.sealReplayed([block], prepared))
    }
  }

  function start(): void {
    replaying ??= replay()
      .catch((error) => logger.warn({ err: error }, 'Could not replay upstream; retrying at its next block'))
      .finally(() => {
        replaying = undefined
      })
  }

  return {
    ...createManualMode(needs),
    async resume() {
      start()
    },
    onUpstreamHead: start,
    async stop() {
      await replaying
    },
  }
}
