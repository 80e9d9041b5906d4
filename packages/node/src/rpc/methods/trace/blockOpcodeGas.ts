import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { TransactionOpcodeGas } from '../../codecs/traces/parity.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { replayErrors } from '../../errorGroups.ts'
import { exampleOpcodeGas, exampleTransaction } from '../../examples.ts'

export const blockOpcodeGas = defineMethod({
  name: 'trace_blockOpcodeGas',
  summary: 'Returns how often each operation of the transactions of a block ran, and the gas that it used itself.',
  role: 'read',
  isSlow: true,
  params: { block: BlockTag },
  result: z.object({ blockHash: HexWord, blockNumber: z.number(), transactions: z.array(TransactionOpcodeGas) }),
  errors: replayErrors,
  example: {
    params: ['0x1'],
    result: { blockHash: exampleTransaction.blockHash, blockNumber: 1, transactions: [exampleOpcodeGas] },
  },
  handler: ({ parityTraces }, { block }) => parityTraces.loadBlockOpcodeGas(block),
})
