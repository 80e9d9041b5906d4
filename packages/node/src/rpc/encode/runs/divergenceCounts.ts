import { z } from 'zod'
import type { DivergenceCounts } from '../../../shadow/divergences.ts'
import { HexAddress, HexBytes, HexWord } from '../../codecs/wire.ts'
import { exampleDivergence } from './divergence.ts'

const Count = z.number()

export const DivergenceCountsObject = z
  .object({
    /** The most frequent ones first, without those that the rules expect; of the newest 5000 divergences, at most 200. */
    groups: z.array(
      z.object({
        /** Null for contract creations. */
        to: HexAddress.nullable(),
        contract: z.string().nullable(),
        function: z.string().nullable(),
        selector: HexBytes.nullable(),
        kind: z.enum(['diverged', 'refused', 'unreproducible']),
        isCascade: z.boolean(),
        /** Why, without numbers that differ from one to the next. */
        cause: z.string(),
        count: Count,
        newest: z.object({ block: z.number(), hash: HexWord }),
      }),
    ),
    /** Spans of blocks of equal length, oldest first, at most 60; rules do not matter. */
    spans: z.array(
      z.object({
        ...{ from: z.number(), to: z.number() },
        ...{ same: Count, diverged: Count, refused: Count, unreproducible: Count },
      }),
    ),
    /** Whether there are more divergences than were counted. */
    truncated: z.boolean(),
  })
  .meta({ title: 'DivergenceCounts' })

export const encodeDivergenceCounts = ({
  groups,
  spans,
  truncated,
}: DivergenceCounts): z.output<typeof DivergenceCountsObject> => ({
  groups: groups.map(({ to, contract, function: name, selector, kind, newest, ...group }) => ({
    to: to ?? null,
    contract: contract ?? null,
    function: name ?? null,
    selector: selector ?? null,
    kind: kind as Exclude<typeof kind, 'same'>,
    newest: { block: Number(newest.block), hash: newest.hash },
    ...group,
  })),
  spans: spans.map(({ from, to, ...counts }) => ({ from: Number(from), to: Number(to), ...counts })),
  truncated,
})

export const exampleDivergenceCounts = {
  groups: [
    {
      ...{ to: exampleDivergence.to, contract: 'Vault', function: 'withdraw(uint256)', selector: '0x2e1a7d4d' },
      ...{ kind: 'diverged', isCascade: false, cause: 'It fails here: Error(fee above limit)', count: 3 },
      newest: { block: exampleDivergence.block, hash: exampleDivergence.hash },
    },
  ],
  spans: [{ from: 21000000, to: 21000003, same: 812, diverged: 3, refused: 0, unreproducible: 0 }],
  truncated: false,
}
