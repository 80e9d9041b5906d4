import { opcodes } from '../opcodes.ts'
import type { CallFrame, HaltReason, Step } from '../port.ts'
import type { TracedRun } from './tracer.ts'

/** The reasons in go-ethereum's words, where those are others. */
const messages: Partial<Record<HaltReason | 'revert', string>> = {
  revert: 'execution reverted',
  'invalid jump': 'invalid jump destination',
  'call depth exceeded': 'max call depth exceeded',
  'insufficient balance': 'insufficient balance for transfer',
  'invalid code: must not begin with 0xef': 'invalid code: must not begin with 0xef',
  'nonce overflow': 'nonce uint64 overflow',
  'precompile failed': 'precompiled failed',
}

/** Reasons whose message names the operation. */
const ofOperation = new Set<string | undefined>(['invalid opcode', 'stack underflow', 'stack overflow'])

const stackLimit = 1024
const byCode = new Map(opcodes.map((opcode) => [opcode.code, opcode]))

/** Why an operation failed, in go-ethereum's words; `undefined` when it did not. */
export function stepMessage({ op, name, stack, error }: Step): string | undefined {
  if (!ofOperation.has(error)) return error && (messages[error] ?? error)
  const { takes, puts } = byCode.get(op) ?? { takes: 0, puts: 0 }
  if (error === 'stack underflow') return `stack underflow (${stack.length} <=> ${takes})`
  if (error === 'stack overflow') return `stack limit reached ${stack.length} (${stackLimit - puts + takes})`
  return `invalid opcode: ${name}`
}

/** Why each frame failed, in go-ethereum's words; `undefined` for those that succeeded. */
export async function haltMessages({ result, replay }: TracedRun): Promise<(string | undefined)[]> {
  const { frames } = result
  const found = frames.map(({ error }) => error && (messages[error] ?? error))
  const unnamed = endOrder(frames).filter((index) => ofOperation.has(frames[index]?.error))
  if (unnamed.length === 0) return found
  const failed: string[] = []
  await replay({
    steps: { operations: new Set(), memory: false },
    onStep: (step) => {
      if (ofOperation.has(step.error)) failed.push(stepMessage(step) ?? '')
    },
  })
  for (const [position, index] of unnamed.entries()) found[index] = failed[position] || found[index]
  return found
}

/** The indexes of frames in the order in which they ended. */
function endOrder(frames: readonly CallFrame[]): number[] {
  const order: number[] = []
  const open: number[] = []
  for (const [index, { depth }] of frames.entries()) {
    while (open.length > depth) order.push(open.pop() as number)
    open.push(index)
  }
  return [...order, ...open.reverse()]
}
