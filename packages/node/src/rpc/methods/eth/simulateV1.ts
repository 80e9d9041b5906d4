import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Simulation } from '../../codecs/calls/simulate.ts'
import { withDefault } from '../../codecs/optional.ts'
import { BlockObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeSimulatedBlock } from '../../encode/simulation.ts'
import { exampleBlock, exampleTransaction } from '../../examples.ts'

export const simulateV1 = defineMethod({
  name: 'eth_simulateV1',
  summary:
    'Executes calls in simulated blocks on top of a block, each on the result of the previous one, and returns the blocks with the results of the calls. Nothing is stored. By default, a block is 12 seconds after the previous one, and gas is free unless transactions are validated.',
  role: 'read',
  params: { simulation: Simulation, block: withDefault(BlockTag, 'latest') },
  result: z.array(BlockObject),
  errors: [
    'HEADER_NOT_FOUND',
    'BLOCK_PRUNED',
    'SIMULATION_TOO_LARGE',
    'SIMULATED_NUMBER_NOT_INCREASING',
    'SIMULATED_TIME_NOT_INCREASING',
    'SIMULATED_BLOCK_FULL',
    'SIMULATED_NONCE_TOO_LOW',
    'SIMULATED_NONCE_TOO_HIGH',
    'SIMULATED_NONCE_MAX',
    'SIMULATED_FEE_TOO_LOW',
    'SIMULATED_GAS_TOO_LOW',
    'SIMULATED_INSUFFICIENT_FUNDS',
    'SIMULATED_INITCODE_TOO_LARGE',
    'NOT_A_PRECOMPILE',
    'PRECOMPILE_MOVED_TO_ITSELF',
    'PRECOMPILE_MOVED_TWICE',
    'TRANSACTION_INVALID',
    'EXECUTION_FAILED',
    'EXECUTION_TOO_LONG',
  ],
  example: {
    params: [
      {
        blockStateCalls: [
          {
            stateOverrides: { [exampleTransaction.from]: { balance: '0xde0b6b3a7640000' } },
            calls: [{ from: exampleTransaction.from, to: exampleTransaction.to, value: '0x1' }],
          },
        ],
      },
      'latest',
    ],
    result: [
      {
        ...exampleBlock,
        calls: [{ returnData: '0x', logs: [], gasUsed: '0x5208', maxUsedGas: '0x5208', status: '0x1' }],
      },
    ],
  },
  async handler({ simulation: service }, { simulation: { request, isFull }, block }) {
    const blocks = await service.simulate(request, block)
    return blocks.map((simulated) => encodeSimulatedBlock(simulated, isFull))
  },
})
