/** What a tracked item can record. */
export const trackedTypes = ['native-token-balance', 'erc20-balance', 'function-result', 'storage-variable'] as const
export type TrackedType = (typeof trackedTypes)[number]

/** When a tracked item can be recorded. */
export const recordTriggers = ['every-tx', 'every-n-blocks', 'cron'] as const
export type RecordTrigger = (typeof recordTriggers)[number]
