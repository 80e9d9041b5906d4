import { z } from 'zod'
import type { InvariantStatus } from '../../../invariants/invariants.ts'
import { HexWord } from '../../codecs/wire.ts'
import { exampleTrackedItem } from '../trackedItem.ts'
import { encodeSourceLocation, SourceLocationObject } from './sourceLocation.ts'

const ValueObject = z.record(z.string(), z.unknown()).meta({ title: 'InvariantValue', description: 'as it was given' })

export const InvariantObject = z
  .object({
    id: z.string(),
    name: z.string(),
    check: z.union([
      z.object({ left: ValueObject, is: z.string(), right: z.union([z.string(), ValueObject]) }),
      z.object({ values: z.record(z.string(), ValueObject), holds: z.string() }),
    ]),
    pause: z.boolean(),
    branch: z.boolean(),
    /** Whether it held after the latest block. */
    holds: z.boolean(),
    /** Newest first, at most 100. Each lasts from a block until it held again. */
    failures: z.array(
      z.object({
        block: z.number(),
        /** Null if no transaction of this network broke it. */
        transaction: HexWord.nullable(),
        /** The line that wrote what the check reads; null if it is not known, and until it is found. */
        line: SourceLocationObject.nullable(),
        /** Of an expression, its values. */
        left: z.string().nullable(),
        right: z.string().nullable(),
        /** Why a value is missing. */
        error: z.string().nullable(),
        /** The block after which it held again; null if it does not hold. */
        recoveredAt: z.number().nullable(),
        /** The name of the branch that was made at the block. */
        branch: z.string().nullable(),
      }),
    ),
  })
  .meta({ title: 'Invariant' })

export const encodeInvariant = ({
  id,
  name,
  check,
  pause,
  branch,
  holds,
  failures,
}: InvariantStatus): z.output<typeof InvariantObject> => ({
  ...{ id, name, pause, branch, holds },
  check,
  failures: failures.map(({ blockNumber, hash, location, left, right, error, recoveredAt, branch: made }) => ({
    block: Number(blockNumber),
    transaction: hash ?? null,
    line: location ? encodeSourceLocation(location) : null,
    left: left ?? null,
    right: right ?? null,
    error: error ?? null,
    recoveredAt: recoveredAt === undefined ? null : Number(recoveredAt),
    branch: made ?? null,
  })),
})

export const exampleCheck = {
  left: {
    type: 'function-result',
    address: exampleTrackedItem.address,
    functionAbi: 'function totalAssets() view returns (uint256)',
  },
  is: '>=',
  right: {
    type: 'function-result',
    address: exampleTrackedItem.address,
    functionAbi: 'function totalDebt() view returns (uint256)',
  },
}

export const exampleInvariant = {
  id: 'h2v5k0ryqf93mznw7tj4xb6d',
  name: 'solvent',
  check: exampleCheck,
  pause: false,
  branch: true,
  holds: true,
  failures: [],
}
