/** How blocks come about: `interval` in milliseconds. */
export type MiningMode = { type: 'instant' } | { type: 'manual' } | { type: 'interval'; intervalMs: number }
