import { basename } from 'node:path'
import { NetworkError } from '../../shared/errors.ts'
import { blockFromAnswer } from '../answers.ts'
import type { Call, CallAnswer } from '../transport/outcome.ts'
import type { Post } from '../transport/post.ts'
import { asksForHead, type MovingHeads } from './recordedHeads.ts'
import type { Recording } from './recording.ts'

/** A recording that answers for upstream. */
export type RecordedUpstream = {
  recording: Recording
  /** For messages. */
  file: string
  /** Whether upstream is never asked; otherwise what it answers is added. */
  isOffline: boolean
  /** Without them, the head stands still. */
  heads?: MovingHeads | undefined
}

const shownCharacters = 400

/**
 * Creates the function that answers calls from a recording. Upstream gets those that are not in it, and what it answers is
 * recorded; `redact` takes our secrets out of its messages. `ask` asks upstream, unless there is none, and records
 * nothing: the endpoint may be of another chain.
 */
export function createRecordedPost(
  { recording, file, isOffline, heads }: RecordedUpstream,
  { live, redact }: { live: Post; redact(text: string): string },
): { post: Post; ask: Post } {
  function record(call: Call, answer: CallAnswer | undefined): void {
    if (!answer || 'refusal' in answer) return
    const { method, params } = call
    if (heads && asksForHead(call) && 'result' in answer) heads.add(blockFromAnswer('latest', answer.result))
    if ('result' in answer) recording.add(method, params, answer)
    else recording.add(method, params, { error: { ...answer.error, message: redact(answer.error.message) } })
  }

  const refusalOf = ({ method, params }: Call): CallAnswer => {
    const call = `${method} ${JSON.stringify(params)}`.slice(0, shownCharacters)
    return { refusal: new NetworkError('RECORDING_INCOMPLETE', { file: basename(file), call }) }
  }

  const post: Post = async (endpoint, calls, controller) => {
    const byId = new Map<number, CallAnswer>()
    const missing: Call[] = []
    for (const call of calls) {
      const known = heads ? heads.answer(call) : recording.get(call.method, call.params)
      if (known) byId.set(call.id, known)
      else if (isOffline) byId.set(call.id, refusalOf(call))
      else missing.push(call)
    }
    if (missing.length === 0) return { type: 'answers', byId }
    const outcome = await live(endpoint, missing, controller)
    if (outcome?.type !== 'answers') return outcome
    for (const call of missing) record(call, outcome.byId.get(call.id))
    return { type: 'answers', byId: new Map([...byId, ...outcome.byId]) }
  }
  return { post, ask: isOffline ? post : live }
}
