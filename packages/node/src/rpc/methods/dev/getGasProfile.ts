import { z } from 'zod'
import { runSubject } from '../../codecs/calls/runSubject.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeRunPlace, runPlaceFields } from '../../encode/runs/runPlace.ts'
import { exampleTransaction } from '../../examples.ts'

const LineGasObject = z
  .object({
    ...runPlaceFields,
    gas: z.number(),
  })
  .meta({ title: 'LineGas' })

export const getGasProfile = defineMethod({
  name: 'dev_getGasProfile',
  summary:
    'Returns the gas of each line of imported contracts in a transaction, or in a call on the state of a block, without what it calls. `intrinsic`, plus that of all lines, minus `refund`, is `gasUsed`.',
  role: 'read',
  isSlow: true,
  params: runSubject,
  result: z.object({
    gasUsed: z.number(),
    intrinsic: z.number(),
    refund: z.number(),
    lines: z.array(LineGasObject),
  }),
  example: {
    params: [exampleTransaction.hash],
    result: {
      gasUsed: 43_700,
      intrinsic: 21_204,
      refund: 0,
      lines: [
        {
          file: 'src/Counter.sol',
          line: 9,
          function: 'Counter.increment',
          contract: 'Counter',
          address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
          gas: 22_496,
        },
      ],
    },
  },
  async handler({ traces, gasProfiles }, { subject, block }) {
    const { gasUsed, intrinsic, refund, lines } = await gasProfiles.of(await traces.runSubject(subject, block))
    return {
      gasUsed: Number(gasUsed),
      intrinsic: Number(intrinsic),
      refund: Number(refund),
      lines: lines.map((line) => ({ ...encodeRunPlace(line), gas: Number(line.gas) })),
    }
  },
})
