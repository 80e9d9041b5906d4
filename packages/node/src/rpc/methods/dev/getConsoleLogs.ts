import { z } from 'zod'
import { loadConsoleLogs } from '../../../ethereum/abi/consoleLog.ts'
import { runSubject } from '../../codecs/calls/runs.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

const ConsoleLogObject = z
  .object({
    /** The contract that logged. */
    address: HexAddress,
    /** As Foundry formats it; the call data as hex if it is not a known function. */
    text: z.string(),
    values: z.array(z.object({ type: z.string(), value: z.string() })).nullable(),
  })
  .meta({ title: 'ConsoleLog' })

export const getConsoleLogs = defineMethod({
  name: 'dev_getConsoleLogs',
  summary:
    'Returns what contracts logged with console.log (Hardhat, forge-std) in a transaction, or in a call on the state of a block. It may fail.',
  role: 'read',
  isSlow: true,
  params: runSubject,
  result: z.array(ConsoleLogObject),
  errors: [...sealedTransactionErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: [exampleTransaction.hash],
    result: [
      {
        address: exampleTransaction.to,
        text: 'balance of 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 is 1000',
        values: [
          { type: 'string', value: 'balance of %s is %d' },
          { type: 'address', value: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
          { type: 'uint256', value: '1000' },
        ],
      },
    ],
  },
  async handler({ traces }, { subject, block }) {
    const { result } = await traces.runSubject(subject, block)
    return (await loadConsoleLogs(result)).map(({ values = null, ...log }) => ({ ...log, values }))
  },
})
