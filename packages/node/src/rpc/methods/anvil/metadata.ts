import { z } from 'zod'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeMetadata } from '../../encode/networks/networkInfo.ts'

export const Metadata = z.object({
  clientVersion: z.string(),
  chainId: z.number(),
  instanceId: HexWord,
  latestBlockNumber: z.number(),
  latestBlockHash: HexWord,
  forkedNetwork: z
    .object({ chainId: z.number(), forkBlockNumber: z.number(), forkBlockHash: HexWord })
    .nullable()
    .optional(),
  snapshots: z.record(z.string(), z.unknown()).optional(),
})

export const exampleMetadata = {
  clientVersion: 'anvil/understudy-v0.1.0',
  chainId: 1,
  instanceId: '0x63775b9f351a2664b6acca5594027dede2c9e789c6d42db077f8e51c64b98bf2',
  latestBlockNumber: 21000012,
  latestBlockHash: '0xd5f1812548be429cbdc6376b29611fc49e06f1359758c4ceaaa3b393e2239f9c',
  forkedNetwork: {
    chainId: 1,
    forkBlockNumber: 21000000,
    forkBlockHash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  },
}

export const metadata = defineMethod({
  name: 'anvil_metadata',
  summary: 'Returns information about the network and its fork, as in anvil.',
  role: 'read',
  params: {},
  result: Metadata,
  example: { params: [], result: { ...exampleMetadata, snapshots: {} } },
  async handler(services) {
    const { forkedNetwork = null, ...rest } = await encodeMetadata(services)
    return { ...rest, forkedNetwork, snapshots: {} }
  },
})
