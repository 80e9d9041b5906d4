import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { encodeImportedContract, ImportedContractObject } from '../../encode/importedContract.ts'

export const getImportedContracts = defineMethod({
  name: 'dev_getImportedContracts',
  summary: 'Lists imported contracts with their versions and deployments.',
  role: 'read',
  params: {},
  result: z.array(ImportedContractObject),
  example: {
    params: [],
    result: [
      {
        name: 'Counter',
        projectContractId: 'pc_tz4a98xxat96iws9zmbrgj3a',
        createdAt: '2026-01-01T12:00:00.000Z',
        versions: [
          {
            projectContractVersionId: 'pcv_pfh0haxfpzowht3oi213cqos',
            number: 1,
            sourcePath: 'src/Counter.sol',
            createdAt: '2026-01-01T12:00:00.000Z',
          },
        ],
        deployments: [
          {
            projectContractDeploymentId: 'pcd_bq1z3m0x5yk2c7v8n9w4j6ha',
            projectContractVersionId: 'pcv_pfh0haxfpzowht3oi213cqos',
            address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
            blockNumber: 23_000_001,
            constructorArgs: [],
          },
        ],
      },
    ],
  },
  handler: async ({ contracts }) => (await contracts.list()).map(encodeImportedContract),
})
