import { codec } from '../shared/codec.ts'

/**
 * When blocks are sealed.
 * - `instant`: a block for each transaction, and one when upstream's head moves; with an interval, also one at each.
 * - `manual`: on request.
 * - `interval`: at an interval in milliseconds.
 * - `replay`: one for each upstream block, with its number, time and fees.
 */
export type MiningMode =
  | { type: 'instant'; intervalMs?: number }
  | { type: 'manual' }
  | { type: 'interval'; intervalMs: number }
  | { type: 'replay' }

/** The maximum interval of timers. */
const maxIntervalSeconds = 86_400

/** A mode in text form, `instant`, `instant:12`, `manual`, `replay` or `interval:2`, or as a `MiningMode`. */
export const miningMode = codec<string, MiningMode>(
  `instant, instant:SECONDS, manual, replay or interval:SECONDS (above 0, at most ${maxIntervalSeconds})`,
  (input) => {
    if (typeof input === 'object' && input !== null) return modeFrom(input)
    if (typeof input !== 'string') return undefined
    const match = /^(instant|interval):(\d+(?:\.\d+)?|\.\d+)$/.exec(input)
    return modeFrom(match ? { type: match[1], intervalMs: Math.round(Number(match[2]) * 1000) } : { type: input })
  },
  { title: 'MiningMode', type: 'string' },
)

/** The mode with only its own fields; `undefined` if it is not a mode. */
function modeFrom({ type, intervalMs }: { type?: unknown; intervalMs?: unknown }): MiningMode | undefined {
  if (type === 'manual' || type === 'replay' || (type === 'instant' && intervalMs === undefined)) return { type }
  if ((type !== 'interval' && type !== 'instant') || typeof intervalMs !== 'number') return undefined
  return intervalMs > 0 && intervalMs <= maxIntervalSeconds * 1000 ? { type, intervalMs } : undefined
}

/** Milliseconds between the blocks of a mode that seals them by the clock. */
export const intervalOf = (mode: MiningMode): number | undefined => ('intervalMs' in mode ? mode.intervalMs : undefined)

export function formatMiningMode(mode: MiningMode): string {
  const intervalMs = intervalOf(mode)
  return intervalMs === undefined ? mode.type : `${mode.type}:${intervalMs / 1000}`
}
