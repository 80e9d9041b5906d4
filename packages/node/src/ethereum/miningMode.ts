import { codec } from '../shared/codec.ts'

/**
 * When blocks are sealed.
 * - `instant`: a block for each transaction, and one when upstream's head moves.
 * - `manual`: on request.
 * - `interval`: at an interval in milliseconds.
 * - `replay`: one for each upstream block, with its number, time and fees.
 */
export type MiningMode =
  | { type: 'instant' }
  | { type: 'manual' }
  | { type: 'interval'; intervalMs: number }
  | { type: 'replay' }

/** The maximum interval of timers. */
const maxIntervalSeconds = 86_400

/** A mode in text form, `instant`, `manual`, `replay` or `interval:2`, or as a `MiningMode`. */
export const miningMode = codec<string, MiningMode>(
  `instant, manual, replay or interval:SECONDS (above 0, at most ${maxIntervalSeconds})`,
  (input) => {
    if (typeof input === 'object' && input !== null) return modeFrom(input)
    if (typeof input !== 'string') return undefined
    const match = /^interval:(\d+(?:\.\d+)?|\.\d+)$/.exec(input)
    return modeFrom(match ? { type: 'interval', intervalMs: Math.round(Number(match[1]) * 1000) } : { type: input })
  },
  { title: 'MiningMode', type: 'string' },
)

/** The mode with only its own fields; `undefined` if it is not a mode. */
function modeFrom({ type, intervalMs }: { type?: unknown; intervalMs?: unknown }): MiningMode | undefined {
  if (type === 'instant' || type === 'manual' || type === 'replay') return { type }
  const isInterval = type === 'interval' && typeof intervalMs === 'number'
  return isInterval && intervalMs > 0 && intervalMs <= maxIntervalSeconds * 1000 ? { type, intervalMs } : undefined
}

export function formatMiningMode(mode: MiningMode): string {
  return mode.type === 'interval' ? `interval:${mode.intervalMs / 1000}` : mode.type
}
