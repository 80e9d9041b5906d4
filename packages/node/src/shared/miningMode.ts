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
    if (typeof input === 'object' && input !== null) return input as MiningMode
    if (input === 'instant' || input === 'manual' || input === 'replay') return { type: input }
    const match = /^interval:(\d+(?:\.\d+)?|\.\d+)$/.exec(String(input))
    const intervalMs = match ? Math.round(Number(match[1]) * 1000) : 0
    return intervalMs > 0 && intervalMs <= maxIntervalSeconds * 1000 ? { type: 'interval', intervalMs } : undefined
  },
  { title: 'MiningMode', type: 'string' },
)

export function formatMiningMode(mode: MiningMode): string {
  return mode.type === 'interval' ? `interval:${mode.intervalMs / 1000}` : mode.type
}
