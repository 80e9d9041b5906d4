import type { Hex } from 'viem'

/** An event within a call. `position`: how many calls were made before it. */
export type FrameLog = { address: Hex; topics: Hex[]; data: Hex; index: Hex; position: Hex }

/** A slot that a call changed. `position` and `logPosition`: how many calls and events came before it. */
export type FrameWrite = { address: Hex; slot: Hex; before: Hex; after: Hex; position: Hex; logPosition: Hex }

/** A call within a transaction, as callTracer reports it. */
export type CallFrame = {
  type: string
  from: Hex
  to?: Hex
  value?: Hex
  gas: Hex
  gasUsed: Hex
  input: Hex
  output?: Hex
  error?: string
  revertReason?: string
  calls?: CallFrame[]
  logs?: FrameLog[]
  writes?: FrameWrite[]
}

/** What a call did, one thing after the other. */
export type FrameItem =
  | { type: 'call'; call: CallFrame }
  | { type: 'log'; log: FrameLog }
  | { type: 'write'; write: FrameWrite }

/** The calls, events and writes of a call in their order. */
export function itemsOf({ calls = [], logs = [], writes = [] }: CallFrame): FrameItem[] {
  const items: FrameItem[] = []
  let [nextLog, nextWrite] = [0, 0]
  for (let position = 0; position <= calls.length; position++) {
    for (;;) {
      const [log, write] = [logs[nextLog], writes[nextWrite]]
      const isLog = log && Number(log.position) === position
      const isWrite = write && Number(write.position) === position
      if (isWrite && (!isLog || Number(write.logPosition) <= nextLog)) {
        items.push({ type: 'write', write })
        nextWrite++
      } else if (isLog) {
        items.push({ type: 'log', log })
        nextLog++
      } else break
    }
    const call = calls[position]
    if (call) items.push({ type: 'call', call })
  }
  return items
}

const openRows = 200

/** How deep a trace can be open from the start so that a page draws it at once. */
export function openDepthOf(root: CallFrame): number {
  let rows = 1
  let frames = [root]
  for (let depth = 0; depth < 10; depth++) {
    for (const { calls = [], logs = [], writes = [] } of frames) rows += calls.length + logs.length + writes.length
    if (rows > openRows) return Math.max(1, depth)
    frames = frames.flatMap(({ calls = [] }) => calls)
  }
  return 10
}

/** Where contracts log. */
export const consoleAddress = '0x000000000000000000636f6e736f6c652e6c6f67'

/** The fields of an account that a transaction changed. */
export type AccountState = { balance?: Hex; nonce?: number; code?: Hex; storage?: Record<Hex, Hex> }
export type StateDiff = { pre: Record<Hex, AccountState>; post: Record<Hex, AccountState> }
