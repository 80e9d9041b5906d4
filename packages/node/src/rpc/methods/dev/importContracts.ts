import { z } from 'zod'
import { LocalContract } from '../../codecs/contracts/localContract.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const importContracts = defineMethod({
  name: 'dev_importContracts',
  summary: 'Stores compiled contracts, all or none, and links them to existing and future deployments of their code.',
  role: 'admin',
  isImport: true,
  isSlow: true,
  params: {
    input: z.strictObject({
      contracts: z.array(LocalContract).max(10_000, { error: 'has more than 10000 contracts' }),
    }),
  },
  result: z.object({
    contracts: z.array(
      z.object({
        name: z.string(),
        projectContractId: z.string(),
        projectContractVersionId: z.string(),
        status: z.enum(['created', 'new_version', 'unchanged']),
        warning: z.string().optional(),
      }),
    ),
    linkedDeployments: z.array(z.object({ name: z.string(), address: HexAddress, backfilledCalls: z.number() })),
  }),
  fields: {
    contracts: 'At most 10 000 compiled contracts.',
  },
  example: {
    params: [
      {
        contracts: [
          {
            name: 'Counter',
            abi: '[{"type":"function","name":"number","inputs":[],"outputs":[{"type":"uint256","name":""}],"stateMutability":"view"}]',
            bytecode:
              '0x6080604052348015600e575f5ffd5b50600436106026575f3560e01c80638381f58a14602a575b5f5ffd5b60305f5481565b60405190815260200160405180910390f3',
            sourcePath: 'src/Counter.sol',
          },
        ],
      },
    ],
    result: {
      contracts: [
        {
          name: 'Counter',
          projectContractId: 'pc_tz4a98xxat96iws9zmbrgj3a',
          projectContractVersionId: 'pcv_pfh0haxfpzowht3oi213cqos',
          status: 'created',
        },
      ],
      linkedDeployments: [
        { name: 'Counter', address: '0x5fbdb2315678afecb367f032d93f642f64180aa3', backfilledCalls: 12 },
      ],
    },
  },
  async handler({ contracts }, { input }) {
    const result = await contracts.import(input.contracts)
    return {
      contracts: result.contracts.map(({ name, contractId, versionId, status, warning }) => ({
        name,
        projectContractId: contractId,
        projectContractVersionId: versionId,
        status,
        ...(warning !== undefined && { warning }),
      })),
      linkedDeployments: result.linkedDeployments,
    }
  },
})
