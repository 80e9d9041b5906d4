import { defineMethod } from '../../defineMethod.ts'
import { encodeMetadata } from '../../encode/metadata.ts'
import { exampleMetadata, Metadata } from '../anvil/metadata.ts'

/** Unlike anvil, Hardhat leaves `forkedNetwork` out when nothing is forked. */
export const hardhatMetadata = defineMethod({
  name: 'hardhat_metadata',
  summary: "Tells what the network is and what it forks, as Hardhat's node does.",
  role: 'read',
  params: {},
  result: Metadata,
  example: { params: [], result: exampleMetadata },
  handler: encodeMetadata,
})
