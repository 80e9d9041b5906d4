import { defineMethod } from '../../defineMethod.ts'
import { encodeMetadata } from '../../encode/networks/networkInfo.ts'
import { exampleMetadata, Metadata } from '../anvil/metadata.ts'

/** Unlike anvil, Hardhat omits `forkedNetwork` when nothing is forked. */
export const hardhatMetadata = defineMethod({
  name: 'hardhat_metadata',
  summary: "Returns information about the network and its fork, as in Hardhat's node.",
  role: 'read',
  params: {},
  result: Metadata,
  example: { params: [], result: exampleMetadata },
  handler: encodeMetadata,
})
