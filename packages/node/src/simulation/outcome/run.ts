import {
  type AccessListItem,
  type BlockContext,
  type CallFrame,
  type CallNode,
  callTree,
  type Done,
  delegateOf,
  isPrecompile,
  type MessageKind,
  ownLogs,
  rulesOf,
  type TracedRun,
} from '@understudy/evm'
import type { CallRequest } from '../../execution/execution.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import { Overlay } from '../../state/overlay.ts'
import type { LoadingView } from '../../state/view.ts'
import type { OutcomeFrame } from './outcome.ts'

/** A call that ran. `view` is the state before it, to which its changes are applied once the next call is asked for. */
export type SequenceRun = {
  request: CallRequest
  run: TracedRun
  kind: MessageKind
  view: LoadingView
  /** The state after it. */
  after: Overlay
  /** The block with its real base fee, which is 0 for a call that names no price. */
  block: BlockContext
}

/** Maximum number of frames, of logs and of asset changes that an outcome has. */
export const shownLimit = 20_000

/** A frame, and where it is. */
export type PlacedFrame = {
  frame: CallFrame
  traceAddress: number[]
  subtraces: number
  status: OutcomeFrame['status']
}

/** What happened in a run, in its order: a frame begins, a log is emitted. Both are named by their indexes. */
export type RunEvent = { type: 'frame'; frame: number } | { type: 'log'; log: number; frame: number }

/** The frames of a run with where they are, and all that happened in its order. */
export function locateFrames({ frames }: Pick<Done, 'frames'>): { placed: PlacedFrame[]; events: RunEvent[] } {
  const placed: PlacedFrame[] = []
  const events: RunEvent[] = []

  function visit(node: CallNode, traceAddress: number[], isUndone: boolean): void {
    const { frame, index, children } = node
    const failed = frame.error !== undefined
    const status = failed ? 'failed' : isUndone ? 'reverted' : 'succeeded'
    placed.push({ frame, traceAddress, subtraces: children.length, status })
    events.push({ type: 'frame', frame: index })
    const own = ownLogs(node)
    let next = 0
    const addLogs = (position: number) => {
      for (; (own[next]?.position ?? Number.POSITIVE_INFINITY) <= position; next++)
        events.push({ type: 'log', log: own[next]?.index ?? 0, frame: index })
    }
    for (const [position, child] of children.entries()) {
      addLogs(position)
      visit(child, [...traceAddress, position], isUndone || failed)
    }
    addLogs(children.length)
  }

  visit(callTree(frames), [], false)
  return { placed, events }
}

/** Why a frame failed, in words. */
export const errorText = (error: CallFrame['error']): string | undefined =>
  error === 'revert' ? 'execution reverted' : error

/** A frame without what has to be looked up. */
export function plainFrame({ frame, ...rest }: PlacedFrame): OutcomeFrame {
  const { type, from, to, value, gas, gasUsed, input, output, error } = frame
  return {
    type,
    from,
    to,
    value,
    gas,
    gasUsed,
    input: hexFromBytes(input),
    output: hexFromBytes(output),
    error: errorText(error),
    reason: undefined,
    revert: undefined,
    ...rest,
    contract: undefined,
    function: undefined,
    returned: undefined,
  }
}

/** A run with the state after it. */
export function sequenceRunOf(run: Omit<SequenceRun, 'after'>): SequenceRun {
  const after = new Overlay(run.view)
  after.apply(run.run.result.diff)
  return { ...run, after }
}

/**
 * The access list that makes everything warm which a run touched. What it read says that without another run. The sender, the
 * called address, the coinbase and precompiles are warm anyway and are left out, but for slots of theirs.
 */
export function accessListOf({ message, block, result, view }: TracedRun): AccessListItem[] {
  const rules = rulesOf(block)
  const { accounts, slots } = result.readSet
  const keys = new Map([...slots].map(([address, of]) => [address, new Set(of)]))
  for (const { address, storageKeys } of message.accessList ?? [])
    keys.set(address, new Set([...(keys.get(address) ?? []), ...storageKeys]))
  for (const [address, of] of result.diff.slots)
    keys.set(address, new Set([...(keys.get(address) ?? []), ...of.keys()]))
  const called = new Set(result.frames.map(({ to }) => to))
  const delegates = [...called].flatMap((address) => delegateOf(address, view) ?? [])
  const warm = new Set([message.from, message.to ?? result.frames[0]?.to])
  if (!called.has(block.coinbase)) warm.add(block.coinbase)
  for (const { authority } of message.authorizationList ?? []) warm.add(authority)
  const listed = (message.accessList ?? []).map(({ address }) => address)
  return [...new Set([...listed, ...accounts, ...called, ...delegates, ...keys.keys()])]
    .filter((address) => keys.has(address) || !(warm.has(address) || isPrecompile(address, rules)))
    .map((address) => ({ address, storageKeys: [...(keys.get(address) ?? [])] }))
}
