import { z } from 'zod'
import { wordFromBigint } from '../../../shared/hex.ts'
import type { SlotCause, SlotValue } from '../../../traces/slots/slotHistory.ts'
import { Address } from '../../codecs/hex.ts'
import { Slot } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { optionsOf, pageFields } from '../../codecs/page.ts'
import { HexWord, Timestamp } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeSourceLocation, sourceLocationFields } from '../../encode/runs/sourceLocation.ts'
import { encodePage, pageObjectOf } from '../../encode/workspaces/workspaceActivity.ts'
import { exampleTransaction } from '../../examples.ts'

const causes = [
  'transaction',
  'block',
  'setStorageAt',
  'setStorageVariable',
  'setTokenBalance',
  'loadState',
  'wipe',
  'resync',
  'follow',
  'unfollow',
  'promoteBranch',
  'revert',
  'creation',
  'pruned',
  'unknown',
] as const satisfies readonly SlotCause[]

const SlotWriteObject = z
  .object({
    /**
     * `block`: what the protocol writes. `creation`: the contract was created or destroyed, which clears its storage. `wipe`,
     * `resync` and `follow` return the slot to the live chain. `pruned`: it happened before the oldest block that is kept.
     */
    cause: z.enum(causes),
    /** The block that changed it, or the newest one before a change between blocks. */
    block: z.number(),
    transaction: HexWord.nullable(),
    /** Null where it is not known. */
    timestamp: Timestamp.nullable(),
    /** Null where it is not known; the same for `after`. */
    before: HexWord.nullable(),
    /** Whether it was the value of the live chain. */
    isLiveBefore: z.boolean(),
    after: HexWord.nullable(),
    /** Whether the slot reads the live chain since then. */
    isLiveAfter: z.boolean(),
    line: z.object(sourceLocationFields).nullable(),
  })
  .meta({ title: 'SlotWrite' })

export const getSlotHistory = defineMethod({
  name: 'dev_getSlotHistory',
  summary:
    'Returns the changes of a storage slot on this network, newest first: what changed it, in which block and transaction, and its values before and after. Each transaction of a block that wrote the slot has an entry. With `lines`, runs those transactions again to find the line that wrote it, as far as the computing time of the request allows. `since` is the block with which the history begins: that of the fork, or the oldest that --keep-blocks has left.',
  role: 'read',
  isSlow: true,
  params: {
    address: Address,
    slot: Slot,
    options: optionsOf({ ...pageFields, lines: withDefault(z.boolean(), false) }),
  },
  result: pageObjectOf(SlotWriteObject).extend({ since: z.number() }),
  fields: {
    address: 'The contract.',
    lines: 'Whether the line of each write is found, which takes time.',
  },
  example: {
    params: ['0x5fbdb2315678afecb367f032d93f642f64180aa3', '0', { limit: 1, lines: true }],
    result: {
      items: [
        {
          cause: 'transaction',
          block: 7,
          transaction: exampleTransaction.hash,
          timestamp: '2026-05-04T12:00:00.000Z',
          before: wordFromBigint(1n),
          isLiveBefore: false,
          after: wordFromBigint(2n),
          isLiveAfter: false,
          line: {
            file: 'src/Counter.sol',
            line: 9,
            function: 'Counter.increment',
            contract: 'Counter',
            address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
          },
        },
      ],
      next: '31.0',
      since: 5,
    },
  },
  async handler({ slotHistory }, { address, slot, options }) {
    const page = await slotHistory.of({ address, slot, ...options })
    return {
      ...encodePage(page, ({ cause, block, transaction, at, before, after, location }) => ({
        cause,
        block: Number(block),
        transaction: transaction ?? null,
        timestamp: at === undefined ? null : new Date(at).toISOString(),
        before: encodeWord(before),
        isLiveBefore: before.isLive,
        after: encodeWord(after),
        isLiveAfter: after.isLive,
        line: location ? encodeSourceLocation(location) : null,
      })),
      since: Number(page.since),
    }
  },
})

const encodeWord = ({ word }: SlotValue) => (word === undefined ? null : wordFromBigint(word))
