import { Hash } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleFailure } from '../../encode/tenderly/exampleSimulation.ts'
import { cumulativeGasOf, encodeSimulation, TenderlySimulation } from '../../encode/tenderly/simulation.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

export const traceOutcome = defineMethod({
  name: 'tenderly_traceTransaction',
  summary: 'Returns what a sealed transaction did, as tenderly_simulateTransaction does of a call.',
  role: 'read',
  isSlow: true,
  params: { hash: Hash },
  result: TenderlySimulation,
  fields: {
    hash: 'Hash of the transaction.',
  },
  errors: sealedTransactionErrors,
  example: { params: [exampleTransaction.hash], result: exampleFailure },
  async handler({ outcomes, history, info }, { hash }) {
    const { block, outcome } = await outcomes.ofTransaction(hash)
    const cumulativeGasUsed = cumulativeGasOf(await history.loadReceipt(hash)) ?? outcome.gasUsed
    return encodeSimulation(outcome, { blockNumber: block.number, cumulativeGasUsed, currency: info().chain.currency })
  },
})
