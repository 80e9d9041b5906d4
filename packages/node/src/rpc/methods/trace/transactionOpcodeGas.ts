import { Hash } from '../../codecs/hex.ts'
import { TransactionOpcodeGas } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleOpcodeGas } from '../../examples.ts'

export const transactionOpcodeGas = defineMethod({
  name: 'trace_transactionOpcodeGas',
  summary: 'Returns how often each operation of a sealed transaction ran, and the gas that it used itself.',
  role: 'read',
  isSlow: true,
  params: { hash: Hash },
  result: TransactionOpcodeGas,
  errors: sealedTransactionErrors,
  example: { params: [exampleOpcodeGas.transactionHash], result: exampleOpcodeGas },
  handler: ({ parityTraces }, { hash }) => parityTraces.loadOpcodeGas(hash),
})
