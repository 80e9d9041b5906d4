import type { Clock } from '../../shared/clock.ts'
import type { RawBlock } from '../answers.ts'
import type { Call } from '../transport/outcome.ts'
import type { RecordedAnswer, Recording } from './recording.ts'

/** Heads that move: as they come, to be recorded, or as they are played. */
export type MovingHeads = {
  /** The recorded answer to a call now. */
  answer(call: Call): RecordedAnswer | undefined
  /** Called with each head that upstream answers. */
  add(head: RawBlock): void
}

/** Whether a call asks for the head. */
export const asksForHead = ({ method, params }: Pick<Call, 'method' | 'params'>) =>
  method === 'eth_getBlockByNumber' && params[0] === 'latest' && params[1] === false

/** Records each head with the time since the first. */
export function recordHeads(recording: Recording, clock: Clock): MovingHeads {
  let startedAt: number | undefined
  return {
    answer: (call) => (asksForHead(call) ? undefined : recording.get(call.method, call.params)),
    add(head) {
      startedAt ??= clock.now()
      recording.addHead(head, clock.now() - startedAt)
    },
  }
}

/** Plays the recorded heads from the first call on, `speed` times as fast as they came. */
export function playHeads(recording: Recording, speed: number, clock: Clock): MovingHeads {
  const heads = recording.heads()
  let startedAt: number | undefined
  return {
    answer(call) {
      const [number, full] = call.params
      const recorded = recording.get(call.method, call.params)
      if (call.method !== 'eth_getBlockByNumber' || full !== false) return recorded
      startedAt ??= clock.now()
      const elapsedMs = (clock.now() - startedAt) * speed
      const played = heads.filter(({ afterMs }) => afterMs <= elapsedMs)
      const isWanted = ({ block }: { block: RawBlock }) => number === 'latest' || block.number === number
      const block = played.findLast(isWanted)?.block
      return block ? { result: block } : recorded
    },
    add() {},
  }
}
