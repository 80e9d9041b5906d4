import { isAnsweredError, isNetworkError } from '../../shared/errors.ts'
import type { Request } from '../transport/requests.ts'
import { headMethod, type RecordedAnswer, type Recording } from './recording.ts'

export type Verification = {
  /** Number of calls that upstream answers as recorded. */
  same: number
  /** Those that it answers differently. */
  different: string[]
  /** Number of calls whose answers change with the head. */
  moving: number
  /** Number of calls about state that upstream no longer has. */
  pruned: number
}

/** Calls sent before the answers of the earlier ones are there. */
const callsAtATime = 500

/** Asks upstream each call of a recording again. Throws `UPSTREAM_UNAVAILABLE`. */
export async function verifyRecording(
  recording: Recording,
  request: Request,
  onProgress: (done: number) => void,
): Promise<Verification> {
  const found: Verification = { same: 0, different: [], moving: 0, pruned: 0 }
  const calls = recording.calls()
  for (let from = 0; from < calls.length; from += callsAtATime) {
    await Promise.all(
      calls.slice(from, from + callsAtATime).map(async ({ method, params, answer }) => {
        if (isMoving(method, params, answer)) {
          found.moving++
          return
        }
        const now = await ask(request, method, params)
        if (!now) found.pruned++
        else if (comparable(method, now) === comparable(method, answer)) found.same++
        else found.different.push(`${method} ${JSON.stringify(params)}`)
      }),
    )
    onProgress(Math.min(from + callsAtATime, calls.length))
  }
  return found
}

/** Whether the head decides what the answer is. */
function isMoving(method: string, params: readonly unknown[], answer: RecordedAnswer): boolean {
  if (method === headMethod) return true
  if (params.length === 0) return method !== 'eth_chainId'
  return (
    /"(latest|pending|safe|finalized)"/.test(JSON.stringify(params)) || ('result' in answer && answer.result === null)
  )
}

async function ask(request: Request, method: string, params: readonly unknown[]) {
  try {
    return { result: await request<unknown>(method, params) }
  } catch (error) {
    if (isNetworkError(error, 'UPSTREAM_STATE_PRUNED')) return undefined
    if (isAnsweredError(error)) return { error }
    throw error
  }
}

/** Blocks by their hashes, because nodes add fields of their own; errors have messages of their own. */
function comparable(method: string, answer: { result: unknown } | { error: unknown }): string {
  if ('error' in answer) return 'error'
  if (/^eth_getBlockBy/.test(method)) return String((answer.result as { hash?: unknown } | null)?.hash)
  return JSON.stringify(sorted(answer.result))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => [name, sorted(field)])
}
