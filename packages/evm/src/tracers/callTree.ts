import type { CallFrame } from '../port.ts'

/** A frame with the frames that it called, in their order. `index` is its position among all. */
export type CallNode = { frame: CallFrame; index: number; children: CallNode[] }

/** Nests frames, which come in the order of entry. */
export function callTree(frames: readonly CallFrame[]): CallNode {
  const open: CallNode[] = []
  for (const [index, frame] of frames.entries()) {
    const node: CallNode = { frame, index, children: [] }
    open.length = frame.depth
    open.at(-1)?.children.push(node)
    open.push(node)
  }
  const [root] = open
  if (!root) throw new Error('A run without frames cannot be traced')
  return root
}

/** The logs of a frame itself, as indexes into those of the run, each with how many calls the frame had made before. */
export function ownLogs({ frame, children }: CallNode): { index: number; position: number }[] {
  const own: { index: number; position: number }[] = []
  let [index] = frame.logs
  for (const [position, child] of children.entries()) {
    for (; index < child.frame.logs[0]; index++) own.push({ index, position })
    index = Math.max(index, child.frame.logs[1])
  }
  for (; index < frame.logs[1]; index++) own.push({ index, position: children.length })
  return own
}
