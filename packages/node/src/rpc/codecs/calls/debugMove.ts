import { z } from 'zod'
import type { Move } from '../../../traces/debugger/moves.ts'
import { Address } from '../hex.ts'
import { Slot, wholeNumber } from '../numbers.ts'
import { optional, withDefault } from '../optional.ts'

const Line = z.strictObject({ file: z.string().max(4096), line: wholeNumber(1, 10_000_000) })
/** Without `slot`, any slot of the contract. */
const Watched = z
  .strictObject({ address: Address, slot: optional(Slot) })
  .transform(({ address, slot }) => ({ address, slot: slot === undefined ? undefined : BigInt(slot) }))

const words = ['in', 'over', 'out', 'opcode', 'write', 'call', 'revert', 'end'] as const

const nothing = { type: 'until', lines: [], writes: [], calls: false, reverts: false } as const

/** Where a debug session goes: a word, an operation by its number, or the first of some events. */
export const DebugMove: z.ZodType<Move, unknown> = z
  .union(
    [
      z.enum(words).transform((word): Move => {
        if (word === 'write') return { ...nothing, writes: 'all' }
        if (word === 'call') return { ...nothing, calls: true }
        if (word === 'revert') return { ...nothing, reverts: true }
        return { type: word }
      }),
      z.strictObject({ step: wholeNumber(0, 2 ** 32 - 1) }).transform(({ step }): Move => ({ type: 'step', step })),
      z
        .strictObject({
          lines: withDefault(z.array(Line).max(1000), []),
          writes: withDefault(z.array(Watched).max(100), []),
          calls: withDefault(z.boolean(), false),
          reverts: withDefault(z.boolean(), false),
        })
        .transform((events): Move => ({ type: 'until', ...events })),
    ],
    { error: `expected one of ${words.join(', ')}, { step }, or { lines, writes, calls, reverts }` },
  )
  .meta({ title: 'DebugMove' })
