import { z } from 'zod'
import { wordFromBigint } from '../../../shared/hex.ts'
import { Address } from '../../codecs/hex.ts'
import { Slot } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { optionsOf, pageFields } from '../../codecs/page.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeRunPlace, runPlaceFields } from '../../encode/runs/runPlace.ts'
import { encodePage, pageObjectOf } from '../../encode/workspaces/workspaceActivity.ts'
import { exampleTransaction } from '../../examples.ts'

const SlotWriteObject = z
  .object({
    /** The block that changed it, or the newest one before a change between blocks. */
    block: z.number(),
    /** Null for a direct write, a wipe, and what a block does by itself. */
    transaction: HexWord.nullable(),
    /** Null for the value of the live chain; the same for `after`. */
    before: HexWord.nullable(),
    after: HexWord.nullable(),
    place: z.object(runPlaceFields).nullable(),
  })
  .meta({ title: 'SlotWrite' })

export const getSlotHistory = defineMethod({
  name: 'dev_getSlotHistory',
  summary:
    'Returns the changes of a storage slot on this network, newest first, with the transaction of each. With `lines`, runs those transactions again to find the line that wrote it. What --keep-blocks removed is not listed.',
  role: 'read',
  isSlow: true,
  params: {
    address: Address,
    slot: Slot,
    options: optionsOf({ ...pageFields, lines: withDefault(z.boolean(), false) }),
  },
  result: pageObjectOf(SlotWriteObject),
  example: {
    params: ['0x5fbdb2315678afecb367f032d93f642f64180aa3', '0', { limit: 1, lines: true }],
    result: {
      items: [
        {
          block: 7,
          transaction: exampleTransaction.hash,
          before: wordFromBigint(1n),
          after: wordFromBigint(2n),
          place: {
            file: 'src/Counter.sol',
            line: 9,
            function: 'Counter.increment',
            contract: 'Counter',
            address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
          },
        },
      ],
      next: '31',
    },
  },
  async handler({ slotHistory, traces }, { address, slot, options }) {
    const page = await slotHistory.of({ address, slot, ...options }, traces)
    return encodePage(page, ({ block, transaction, before, after, place }) => ({
      block: Number(block),
      transaction: transaction ?? null,
      before: before === undefined ? null : wordFromBigint(before),
      after: after === undefined ? null : wordFromBigint(after),
      place: place ? encodeRunPlace(place) : null,
    }))
  },
})
