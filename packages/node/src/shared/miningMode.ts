import { codec } from './codec.ts'

/**
 * How blocks come about.
 * - `instant`: a block for each transaction, and one when upstream's head moves.
 * - `manual`: on request.
 * - `interval`: one every so many milliseconds.
 * - `replay`: one for each block of upstream, with its number, time and fees.
 */
export type MiningMode =
  | { type: 'instant' }
  | { type: 'manual' }
  | { type: 'interval'; intervalMs: number }
  | { type: 'replay' }

/** The longest interval that timers can wait. */
const maxIntervalSeconds = 86_400

/** A mode as it is written: `instant`, `manual`, `replay`, `interval:2`. */
export const miningMode = codec<string, MiningMode>(
  `instant, manual, replay or interval:SECONDS (above 0, at most ${maxIntervalSeconds})`,
  (input) => {
    if (isMiningMode(input)) return input
    if (input === 'instant' || input === 'manual' || input === 'replay') return { type: input }
    const match = /^interval:(\d+(?:\.\d+)?|\.\d+)$/.exec(typeof input === 'string' ? input : '')
    const interval = match && { type: 'interval', intervalMs: Math.round(Number(match[1]) * 1000) }
    return isMiningMode(interval) ? interval : undefined
  },
  { title: 'MiningMode', type: 'string' },
)

/** Whether it is a mode as it is in TypeScript. */
function isMiningMode(input: unknown): input is MiningMode {
  if (typeof input !== 'object' || input === null) return false
  const { type, intervalMs } = input as Record<string, unknown>
  if (type !== 'interval') return type === 'instant' || type === 'manual' || type === 'replay'
  return typeof intervalMs === 'number' && intervalMs > 0 && intervalMs <= maxIntervalSeconds * 1000
}

export function formatMiningMode(mode: MiningMode): string {
  return mode.type === 'interval' ? `interval:${mode.intervalMs / 1000}` : mode.type
}
