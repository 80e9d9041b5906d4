import type { AskUpstream } from '../../history/origins.ts'
import type { UpstreamBlock } from '../blockGroup.ts'
import { blocksUpTo } from '../upstreamBlocks.ts'
import { createManualMode } from './manual.ts'
import type { SealingMode, SealingModeNeeds } from './sealingMode.ts'

type Needs = SealingModeNeeds & {
  isInForce(): boolean
  upstream: AskUpstream | undefined
  /** The upstream block to replay up to; `undefined` if the base does not move. */
  target(): UpstreamBlock | undefined
}

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
      await seal(() => sealer.sealReplayed(blocks))
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
