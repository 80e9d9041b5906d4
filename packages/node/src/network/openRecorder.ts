import type { Config } from '../config/config.ts'
import type { Clock, Timer } from '../shared/clock.ts'
import { quantity } from '../shared/hex.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { type MovingHeads, playHeads, recordHeads } from '../upstream/recording/recordedHeads.ts'
import type { RecordedUpstream } from '../upstream/recording/recordedPost.ts'
import { Recording } from '../upstream/recording/recording.ts'
import { readRecording, requireChain, requireHeads, writeRecording } from '../upstream/recording/recordingFile.ts'
import type { KnownChain } from '../upstream/upstream.ts'
import type { Network } from './network.ts'
import { requireFree } from './recordings.ts'

/** A recording that a network starts from, or writes. */
export type Recorder = RecordedUpstream &
  Service & {
    /** The chain that upstream must be; `undefined` if the recording does not say. */
    known: KnownChain | undefined
    /** Called when the network is known. */
    begin(network: Network, upstreamChainId: bigint): void
    /** The clock of blocks. Time begins at the recorded head's, so that contracts that compare both answer the same. */
    chainClock: Clock
  }

/** How often new answers are stored at most. */
const saveIntervalMs = 2_000

/**
 * Opens the recording that a configuration names, if any, and returns the configuration of a network that uses it.
 * Throws `RECORDING_INVALID`, `RECORDING_UNWRITABLE`.
 */
export async function openRecorder(
  config: Config,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<{ config: Config; recorder: Recorder | undefined }> {
  const { record, from, offline: isOffline } = config
  const file = record ?? from
  if (file === undefined) return { config, recorder: undefined }
  const recording = from === undefined ? await newRecording(file) : await readRecording(file)
  const chain = from === undefined ? undefined : requireChain(file, recording)
  const { chainId, forkBlock } = recording.network ?? {}
  let startedAt = clock.now()
  let headAt = startedAt
  const speed = config.playHeads ?? 1
  const saver = isOffline ? noService : createSaver(file, recording, { clock, logger })
  return {
    config: {
      ...config,
      chainId: config.chainId ?? (chainId === undefined ? undefined : BigInt(chainId)),
      forkBlockNumber: config.forkBlockNumber ?? (forkBlock ? BigInt(forkBlock) : undefined),
      // A check of many transactions would be recorded; a reset to another chain would mix both.
      checkFidelity: 0,
      resetToUrl: false,
    },
    recorder: {
      recording,
      file,
      isOffline,
      heads: openHeads(config, file, recording, clock),
      known: isOffline || !chain ? undefined : { chainId: chain.chainId, blocks: chain.blocks },
      begin({ chainId, origin, isPinned }, upstreamChainId) {
        recording.network ??= {
          chainId: String(chainId),
          forkBlock: isPinned ? String(origin.base.number) : null,
        }
        recording.add('eth_chainId', [], { result: quantity(upstreamChainId) })
        const head = recording.chain()?.head
        if (!head) return
        startedAt = clock.now()
        headAt = Number(head.timestamp) * 1000
      },
      chainClock: {
        now: () => headAt + (clock.now() - startedAt) * speed,
        after: (delayMs, task) => clock.after(delayMs, task),
      },
      ...saver,
    },
  }
}

/** Throws `RECORDING_INVALID` if heads are to be played, and the recording has none that moved. */
function openHeads(
  { recordHeads: isMoving, playHeads: speed }: Config,
  file: string,
  recording: Recording,
  clock: Clock,
): MovingHeads | undefined {
  if (isMoving) return recordHeads(recording, clock)
  if (speed === undefined) return undefined
  requireHeads(file, recording)
  return playHeads(recording, speed, clock)
}

async function newRecording(file: string): Promise<Recording> {
  await requireFree(file)
  return new Recording()
}

const noService: Service = { start: async () => {}, stop: async () => {} }

/** Stores what is recorded, so that a process that is killed loses the last seconds at most. */
function createSaver(file: string, recording: Recording, { clock, logger }: { clock: Clock; logger: Logger }): Service {
  let timer: Timer | undefined
  let saving = Promise.resolve()
  let saved = recording.count
  let stopped = false

  async function save(): Promise<void> {
    const { count } = recording
    if (count === saved || !recording.network || !recording.chain()) return
    await writeRecording(file, recording)
    saved = count
    if (recording.isFull) logger.error({ file, calls: count }, 'The recording is full; further answers are left out')
  }

  function schedule(delayMs: number): void {
    timer = clock.after(delayMs, () => {
      const start = clock.now()
      saving = save()
        .catch((error) => logger.error({ err: error }, 'Could not store the recording; retrying'))
        // A large recording is stored less often.
        .finally(() => stopped || schedule(Math.max(saveIntervalMs, 10 * (clock.now() - start))))
    })
  }

  return {
    async start() {
      schedule(saveIntervalMs)
    },
    async stop() {
      stopped = true
      timer?.cancel()
      await saving
      await save()
      logger.info({ file, calls: recording.count }, 'Stored the recording')
    },
  }
}
