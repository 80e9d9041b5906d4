import { z } from 'zod'
import type { ImportedContract } from '../../contracts/contractImports.ts'
import { HexAddress, Timestamp } from '../codecs/wire.ts'

export const ImportedContractObject = z
  .object({
    name: z.string(),
    projectContractId: z.string(),
    createdAt: Timestamp,
    /** Oldest first. */
    versions: z.array(
      z.object({
        projectContractVersionId: z.string(),
        number: z.number(),
        sourcePath: z.string().nullable(),
        createdAt: Timestamp,
      }),
    ),
    deployments: z.array(
      z.object({
        projectContractDeploymentId: z.string(),
        projectContractVersionId: z.string(),
        address: HexAddress,
        /** Where it was created on this network; null if it was created elsewhere. */
        blockNumber: z.number().nullable(),
        /** The decoded arguments; null if unknown. */
        constructorArgs: z.unknown(),
      }),
    ),
  })
  .meta({ title: 'ImportedContract' })

export function encodeImportedContract(contract: ImportedContract): z.output<typeof ImportedContractObject> {
  return {
    name: contract.name,
    projectContractId: contract.id,
    createdAt: timestamp(contract.createdAt),
    versions: contract.versions.map(({ id, number, sourcePath, createdAt }) => ({
      projectContractVersionId: id,
      number,
      sourcePath: sourcePath ?? null,
      createdAt: timestamp(createdAt),
    })),
    deployments: contract.deployments.map(({ id, versionId, address, blockNumber, constructorArgs }) => ({
      projectContractDeploymentId: id,
      projectContractVersionId: versionId,
      address,
      blockNumber: blockNumber === undefined ? null : Number(blockNumber),
      constructorArgs: constructorArgs ?? null,
    })),
  }
}

const timestamp = (milliseconds: number) => new Date(milliseconds).toISOString()
