import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Address } from '../../codecs/hex.ts'
import { ProofSlot } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'
import { exampleProof } from '../../examples.ts'

export const getProof = defineMethod({
  name: 'eth_getProof',
  summary:
    'Returns the Merkle proof of an account and slots that are unchanged from upstream. Locally changed ones have no proof.',
  role: 'read',
  params: {
    address: Address,
    slots: z.array(ProofSlot).max(1024, { error: 'has more than 1024 slots' }),
    block: withDefault(BlockTag, 'latest'),
  },
  result: z.record(z.string(), z.unknown()),
  errors: [...blockErrors, 'UNSUPPORTED'],
  example: { params: [exampleProof.address, [], 'latest'], result: exampleProof },
  handler: ({ proofs }, { address, slots, block }) => proofs.load(address, slots, block),
})
