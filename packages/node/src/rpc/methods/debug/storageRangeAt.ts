import type { Word } from '@understudy/evm'
import { z } from 'zod'
import { zeroWord } from '../../../ethereum/constants.ts'
import { codec } from '../../../shared/codec.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Address } from '../../codecs/hex.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { replayErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

/** The first bytes of a hash. */
const StartKey = codec<string, Word>(
  'the first bytes of a hash (0x-hex, at most 32 bytes)',
  (input) =>
    typeof input === 'string' && /^(0x[\da-f]{0,64})?$/i.test(input)
      ? `0x${input.slice(2).toLowerCase().padEnd(64, '0')}`
      : undefined,
  { title: 'StartKey', type: 'string', pattern: '^(0x[0-9a-fA-F]{0,64})?$' },
)

/** Maximum number of slots of one answer. */
const most = 1024n

export const storageRangeAt = defineMethod({
  name: 'debug_storageRangeAt',
  summary:
    'Returns a part of the storage of a contract before a transaction of a block, in order of the hashes of its slots, and the hash after it. Lists the slots that are known: those written here, those that the transaction uses, and those that were read from the live chain and are still in memory; for blocks from before the fork all, if the live chain has this method. At most 1024 at a time.',
  role: 'read',
  isSlow: true,
  params: {
    block: BlockTag,
    txIndex: Quantity64,
    contractAddress: Address,
    keyStart: withDefault(StartKey, zeroWord),
    maxResult: withDefault(Quantity64, most),
  },
  result: z.object({
    storage: z.record(z.string(), z.object({ key: HexWord.nullable(), value: HexWord })),
    nextKey: HexWord.nullable(),
  }),
  errors: [...replayErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: ['0x1', '0x0', exampleTransaction.to, '0x00', 1024],
    result: {
      storage: {
        '0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563': {
          key: zeroWord,
          value: `0x${'0'.repeat(63)}7` as Word,
        },
      },
      nextKey: null,
    },
  },
  handler: ({ loadStorageRange }, { block, txIndex, contractAddress: address, keyStart: start, maxResult }) =>
    loadStorageRange({
      address,
      block,
      transactionIndex: txIndex,
      start,
      limit: Number(maxResult < most ? maxResult : most),
    }),
})
