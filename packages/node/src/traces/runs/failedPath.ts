import { type CallFrame, consoleAddress } from '@understudy/evm'

/**
 * The frames through which a failure went, by their index: the message first, then the last call of each, if its failure
 * is that of its caller. Empty if the message succeeded.
 */
export function failedPath(frames: readonly CallFrame[]): number[] {
  const [message] = frames
  if (message?.error === undefined) return []
  const last = lastCalls(frames)
  const path = [0]
  for (let caller = message; ; ) {
    const index = last[path.length]
    const call = index === undefined ? undefined : frames[index]
    // The last frame of a depth belongs to the last one above it, if it came later.
    if (!call || (index as number) < (path.at(-1) as number) || !causes(call, caller)) return path
    path.push(index as number)
    caller = call
  }
}

/** The last call or creation that a frame of the path made itself. */
export function lastCall(frames: readonly CallFrame[], index: number): CallFrame | undefined {
  const last = lastCalls(frames)[(frames[index] as CallFrame).depth + 1]
  return last !== undefined && last > index ? frames[last] : undefined
}

/** The last frame of each depth, but for those of `console.log`. */
function lastCalls(frames: readonly CallFrame[]): number[] {
  const last: number[] = []
  for (const [index, { depth, type, to }] of frames.entries())
    if (type !== 'SELFDESTRUCT' && to !== consoleAddress) last[depth] = index
  return last
}

/** Solidity hands on what a failed call returned; of one that did not revert, that is nothing. */
function causes(call: CallFrame, caller: CallFrame): boolean {
  if (call.error === undefined) return false
  return Buffer.compare(call.output, caller.output) === 0
}
