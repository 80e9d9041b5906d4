import { z } from 'zod'
import type { WorkspaceHistory } from '../../../workspaces/history.ts'
import { HexAddress, Timestamp } from '../../codecs/wire.ts'
import { DecodedValueObject } from '../decodedTransaction.ts'

export const WorkspaceHistoryObject = z
  .object({
    versions: z.array(
      z.object({
        id: z.string(),
        number: z.number(),
        createdAt: Timestamp,
        sourcePath: z.string().nullable(),
        hasBytecode: z.boolean(),
        hasStorageLayout: z.boolean(),
        /**
         * Functions and events added and removed since the previous version: `function pay(address)`, `event
         * Paid(address)`…
         */
        added: z.array(z.string()),
        removed: z.array(z.string()),
      }),
    ),
    deployments: z.array(
      z.object({
        id: z.string(),
        versionId: z.string(),
        address: HexAddress,
        /** null if it was not created on this network. */
        blockNumber: z.number().nullable(),
        constructorArgs: z.array(DecodedValueObject).nullable(),
        createdAt: Timestamp,
      }),
    ),
    next: z.string().nullable(),
  })
  .meta({ title: 'WorkspaceHistory' })

export function encodeWorkspaceHistory(history: WorkspaceHistory): z.output<typeof WorkspaceHistoryObject> {
  return {
    versions: history.versions.map(({ createdAt, sourcePath, ...rest }) => ({
      ...rest,
      sourcePath: sourcePath ?? null,
      createdAt: new Date(createdAt).toISOString(),
    })),
    deployments: history.deployments.map(({ blockNumber, constructorArgs, createdAt, ...rest }) => ({
      ...rest,
      blockNumber: blockNumber === undefined ? null : Number(blockNumber),
      constructorArgs: constructorArgs ?? null,
      createdAt: new Date(createdAt).toISOString(),
    })),
    next: history.next ?? null,
  }
}
