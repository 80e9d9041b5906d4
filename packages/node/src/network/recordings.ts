import { access, constants } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { systemClock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import { createStopper } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { mergeRecordings } from '../upstream/recording/mergeRecordings.ts'
import { readRecording, requireChain, writeRecording } from '../upstream/recording/recordingFile.ts'
import { type Verification, verifyRecording } from '../upstream/recording/verifyRecording.ts'
import { openUpstream } from './liveChain.ts'

export type RecordingSummary = {
  chainId: number
  head: { number: number; hash: string; timestamp: string }
  /** The chain id of the recorded network. */
  networkChainId: number | null
  /** Bytes when it is decompressed. */
  bytes: number
  calls: number
  byMethod: Record<string, number>
}

/** What a file of `--record` has. Throws `RECORDING_INVALID`, as the others do. */
export async function describeRecording(file: string): Promise<RecordingSummary> {
  const recording = await readRecording(file)
  const { chainId, head } = requireChain(file, recording)
  const byMethod: Record<string, number> = {}
  for (const { method } of recording.calls()) byMethod[method] = (byMethod[method] ?? 0) + 1
  return {
    chainId: Number(chainId),
    head: {
      number: Number(head.number),
      hash: head.hash,
      timestamp: new Date(Number(head.timestamp) * 1000).toISOString(),
    },
    networkChainId: recording.network ? Number(recording.network.chainId) : null,
    bytes: recording.size,
    calls: recording.count,
    byMethod,
  }
}

/** Writes a recording with the answers of several; returns their number. The output may be one of them. */
export async function mergeRecordingFiles(files: readonly string[], output: string): Promise<number> {
  const isInput = files.some((file) => resolve(file) === resolve(output))
  if (!isInput) await requireFree(output)
  const [first, ...others] = await Promise.all(
    files.map(async (file) => ({ file, recording: await readRecording(file) })),
  )
  if (!first) return 0
  mergeRecordings(first, others)
  await writeRecording(output, first.recording)
  return first.recording.count
}

/** Throws `RECORDING_UNWRITABLE` if there is such a file, or none can be made. */
export async function requireFree(file: string): Promise<void> {
  const refuse = (problem: string) => new NetworkError('RECORDING_UNWRITABLE', { file, problem })
  const [isThere, canBeMade] = await Promise.all([isUsable(file), isUsable(dirname(file), constants.W_OK)])
  if (isThere) throw refuse('it exists. Add to it with --from and --extend, remove it, or choose another file')
  if (!canBeMade) throw refuse('its folder is missing, or not yours to write')
}

const isUsable = (path: string, mode?: number) =>
  access(path, mode).then(
    () => true,
    () => false,
  )

/** Compares a recording with the live chain of a configuration. */
export async function verifyRecordingFile(
  file: string,
  config: Config,
  logger: Logger,
  onProgress: (done: number, total: number) => void,
): Promise<Verification> {
  const recording = await readRecording(file)
  const { chainId, blocks } = requireChain(file, recording)
  const stopper = createStopper()
  try {
    const upstream = openUpstream(
      config,
      config.forkUrls,
      { chainId, blocks },
      { recorded: undefined, logger, clock: systemClock },
      stopper,
    )
    if (!upstream) throw new NetworkError('CONFIG_INVALID', { option: '--fork-url', problem: 'name the live chain' })
    await upstream.start()
    return await verifyRecording(recording, upstream.request, (done) => onProgress(done, recording.count))
  } finally {
    await stopper.stop()
  }
}
