import type { Done } from '@understudy/evm'
import { z } from 'zod'
import { hexFromBytes } from '../../../shared/hex.ts'
import type { RunStep } from '../../../traces/comparison/runComparisons.ts'
import { ComparedRun, runCompared } from '../../codecs/calls/runs.ts'
import { HexAddress, HexBytes, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeSourceLocation, sourceLocationFields } from '../../encode/runs/sourceLocation.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

const StepObject = z
  .object({
    ...sourceLocationFields,
    pc: z.number(),
    operation: z.string(),
    /** 0 for the message itself. */
    depth: z.number(),
    gas: z.number(),
    /** The top words of the stack, the top first. */
    stack: z.array(HexWord),
  })
  .meta({ title: 'RunStep' })

const OutcomeObject = z
  .object({
    status: z.enum(['success', 'failed']),
    gasUsed: z.number(),
    logs: z.number(),
    calls: z.number(),
    output: HexBytes,
  })
  .meta({ title: 'RunOutcome' })

export const compareTransactions = defineMethod({
  name: 'dev_compareTransactions',
  summary:
    'Compares two runs: transactions, or calls on the state of a block, with overrides. With `functionOverrides: false`, a run has no function overrides; with `live: true`, it also has no local state: it runs on the state of the live chain on which the block is based, and only its sender has the balance and nonce of this network. `firstDifference` is the first operation at which they differ (`index` counts from 0, and one side is null if that run had ended), `read` the first value before it that both read and that differs. `slots` are at most 100 storage slots that they left with different values.',
  role: 'read',
  isSlow: true,
  params: { a: ComparedRun, b: ComparedRun },
  result: z.object({
    a: OutcomeObject,
    b: OutcomeObject,
    firstDifference: z
      .object({
        index: z.number(),
        before: StepObject.nullable(),
        a: StepObject.nullable(),
        b: StepObject.nullable(),
      })
      .nullable(),
    read: z
      .object({
        ...sourceLocationFields,
        step: z.number(),
        operation: z.string(),
        /** The account of the frame, whose storage it reads. */
        account: HexAddress,
        /** The slot, account or offset; null if the operation has none. */
        key: HexWord.nullable(),
        a: HexWord,
        b: HexWord,
      })
      .nullable(),
    slots: z.array(z.object({ address: HexAddress, slot: HexWord, a: HexWord.nullable(), b: HexWord.nullable() })),
  }),
  fields: {
    a: 'The first run. Hash of a transaction, `{ transaction }` with a variation of the run, or `{ call, block }` with overrides of its state.',
    b: 'The second run, given as the first one.',
  },
  errors: [...sealedTransactionErrors, 'NOT_A_FORK'],
  example: {
    params: [exampleTransaction.hash, exampleTransaction.hash],
    result: {
      a: { status: 'success', gasUsed: 43_700, logs: 1, calls: 1, output: '0x' },
      b: { status: 'success', gasUsed: 43_700, logs: 1, calls: 1, output: '0x' },
      firstDifference: null,
      read: null,
      slots: [],
    },
  },
  async handler({ traces, runComparisons }, { a, b }) {
    const [first, second] = [await runCompared(a, traces), await runCompared(b, traces)]
    const { firstDifference, read, slots } = await runComparisons.of(first, second)
    return {
      a: encodeOutcome(first.result),
      b: encodeOutcome(second.result),
      firstDifference: firstDifference
        ? {
            index: firstDifference.index,
            before: encodeStep(firstDifference.before),
            a: encodeStep(firstDifference.a),
            b: encodeStep(firstDifference.b),
          }
        : null,
      read: read
        ? {
            ...encodeSourceLocation(read.location),
            step: read.step,
            operation: read.name,
            account: read.address,
            key: read.key === undefined ? null : wordHex(read.key),
            a: wordHex(read.values[0]),
            b: wordHex(read.values[1]),
          }
        : null,
      slots: slots.map(({ address, slot, values: [left, right] }) => ({
        address,
        slot,
        a: left === undefined ? null : wordHex(left),
        b: right === undefined ? null : wordHex(right),
      })),
    }
  },
})

const wordHex = (word: bigint) => `0x${word.toString(16).padStart(64, '0')}` as const

const encodeStep = (step: RunStep | undefined) =>
  step
    ? {
        ...encodeSourceLocation(step.location),
        pc: step.pc,
        operation: step.name,
        depth: step.depth,
        gas: Number(step.gas),
        stack: step.stack.map(wordHex),
      }
    : null

const encodeOutcome = ({ status, gasUsed, logs, frames, output }: Done) => ({
  status: status === 'success' ? ('success' as const) : ('failed' as const),
  gasUsed: Number(gasUsed),
  logs: logs.length,
  calls: frames.length,
  output: hexFromBytes(output),
})
