import { z } from 'zod'
import { runSubject } from '../../codecs/calls/runs.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeStackEntry, StackEntryObject } from '../../encode/runs/sourceLocation.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

export const getStackTrace = defineMethod({
  name: 'dev_getStackTrace',
  summary:
    'Returns where a transaction, or a call on the state of a block, failed: the lines of imported contracts through which the failure went, innermost first. Empty if it succeeds.',
  role: 'read',
  isSlow: true,
  params: runSubject,
  result: z.array(StackEntryObject),
  errors: [...sealedTransactionErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: [exampleTransaction.hash],
    result: [
      {
        file: 'src/Token.sol',
        line: 31,
        function: 'Token._move',
        contract: 'Token',
        address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
        message: 'InsufficientBalance(7, 9)',
      },
      {
        file: 'src/Token.sol',
        line: 18,
        function: 'Token.transfer',
        contract: 'Token',
        address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
        message: null,
      },
    ],
  },
  async handler({ traces, stackTraces }, { subject, block }) {
    const entries = await stackTraces.of(await traces.runSubject(subject, block))
    return entries.map(encodeStackEntry)
  },
})
