import type { TracedRun } from '@understudy/evm'
import { z } from 'zod'
import type { CallTotal } from '../../../traces/gas/compareGas.ts'
import type { GasProfile } from '../../../traces/gas/gasProfile.ts'
import { ComparedRun, runCompared } from '../../codecs/calls/runs.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeSourceLocation, sourceLocationFields } from '../../encode/runs/sourceLocation.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

const GasOutcomeObject = z
  .object({
    status: z.enum(['success', 'failed']),
    gasUsed: z.number(),
    intrinsic: z.number(),
    refund: z.number(),
  })
  .meta({ title: 'GasOutcome' })

const CallTotalObject = z.object({ calls: z.number(), gas: z.number() }).meta({ title: 'CallTotal' })

const outcome = { status: 'success', gasUsed: 43_700, intrinsic: 21_204, refund: 0 } as const

export const compareGas = defineMethod({
  name: 'dev_compareGas',
  summary:
    'Compares the gas of two runs: transactions, or calls on the state of a block, with overrides. `functions` are those whose own gas differs, and `lines` the lines, at most 1000 of each, the largest difference first. Contracts are the same if they have the same name.',
  role: 'read',
  isSlow: true,
  params: { a: ComparedRun, b: ComparedRun },
  result: z.object({
    a: GasOutcomeObject,
    b: GasOutcomeObject,
    functions: z.array(z.object({ ...sourceLocationFields, a: CallTotalObject, b: CallTotalObject })),
    lines: z.array(z.object({ ...sourceLocationFields, a: z.number(), b: z.number() })),
  }),
  fields: {
    a: 'The first run. Hash of a transaction, `{ transaction }` with a variation of the run, or `{ call, block }` with overrides of its state.',
    b: 'The second run, given as the first one.',
  },
  errors: [...sealedTransactionErrors, 'NOT_A_FORK'],
  example: {
    params: [exampleTransaction.hash, exampleTransaction.hash],
    result: { a: outcome, b: outcome, functions: [], lines: [] },
  },
  async handler({ traces, gasProfiles }, { a, b }) {
    const [first, second] = [await runCompared(a, traces), await runCompared(b, traces)]
    const { functions, lines, ...profiles } = await gasProfiles.compare(first, second)
    return {
      a: encodeOutcome(first, profiles.a),
      b: encodeOutcome(second, profiles.b),
      functions: functions.map((each) => ({
        ...encodeSourceLocation(each),
        a: encodeTotal(each.a),
        b: encodeTotal(each.b),
      })),
      lines: lines.map((each) => ({ ...encodeSourceLocation(each), a: Number(each.a), b: Number(each.b) })),
    }
  },
})

const encodeTotal = ({ calls, gas }: CallTotal) => ({ calls, gas: Number(gas) })

const encodeOutcome = ({ result }: TracedRun, { gasUsed, intrinsic, refund }: GasProfile) => ({
  status: result.status === 'success' ? ('success' as const) : ('failed' as const),
  gasUsed: Number(gasUsed),
  intrinsic: Number(intrinsic),
  refund: Number(refund),
})
