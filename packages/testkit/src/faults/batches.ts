import type { Refusal } from './refusal.ts'

type Asked = {
  /** Calls in the batch. */
  size: number
  /** Calls that a batch may have; 0 where it may have none. */
  limit: number
}

/** How servers refuse a batch, or one of too many calls. */
export const batchRefusals = {
  status: () => ({ status: 400, ...objectOf(-32600, 'batch requests are not supported') }),
  object: () => objectOf(-32600, 'batch requests are not supported'),
  empty: () => ({ status: 200, text: '[]' }),
  /** One object that counts. */
  counted: ({ size, limit }) => objectOf(-32600, `batch of ${size} calls is larger than ${limit}`),
  /** dRPC and 1RPC, free. */
  freePlan: ({ limit }) => freePlan(limit),
  freePlanStatus: ({ limit }) => ({ ...freePlan(limit), status: 500 }),
  forbidden: () => ({ status: 403, text: 'Forbidden' }),
  forbiddenObject: () => ({ status: 403, ...objectOf(-32600, 'batch requests are not allowed') }),
  /** Ronin. */
  tooManyRequests: () => ({ status: 400, ...objectOf(-32600, 'too many requests') }),
  payload: () => ({ status: 413, text: 'Payload Too Large' }),
  /** geth: one answer, with the id of the first call. */
  first: () => ({ error: { code: -32600, message: 'batch too large' }, batch: 'first' }),
  /** Base, Optimism and others behind proxyd. */
  proxyd: () => objectOf(-32014, 'too many RPC calls in batch request'),
  besu: () => objectOf(-32005, 'Number of requests exceeds max batch size'),
} as const satisfies Record<string, (asked: Asked) => Refusal>

export type BatchRefusal = keyof typeof batchRefusals

type BatchFaults = { refuseBatches?: BatchRefusal; maxBatch?: number; maxBatchBytes?: number }

/** How a batch of `size` calls in so many bytes is refused, if it is. */
export function refusalOfBatch(
  { size, bytes }: { size: number; bytes: number },
  { refuseBatches, maxBatch, maxBatchBytes }: BatchFaults,
): Refusal | undefined {
  if (maxBatchBytes !== undefined && bytes > maxBatchBytes) return batchRefusals.payload()
  if (refuseBatches === undefined && maxBatch === undefined) return undefined
  const limit = maxBatch ?? 0
  if (size <= limit) return undefined
  return batchRefusals[refuseBatches ?? 'counted']({ size, limit })
}

function objectOf(code: number, message: string): Extract<Refusal, { batch?: unknown }> {
  return { error: { code, message }, batch: 'object' }
}

function freePlan(limit: number): Extract<Refusal, { batch?: unknown }> {
  const message = `Batch of more than ${limit} requests are not allowed on free tier, to use this feature register paid account at drpc.org`
  return { error: { code: 31, message } }
}
