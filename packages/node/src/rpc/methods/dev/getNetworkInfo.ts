import { z } from 'zod'
import { HexAddress, HexWord, Timestamp } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeNetworkInfo } from '../../encode/networks/networkInfo.ts'

const BlockPoint = z.object({ number: z.number(), hash: HexWord })

/** Numbers are JSON numbers here, times ISO 8601. */
export const getNetworkInfo = defineMethod({
  name: 'dev_getNetworkInfo',
  summary: 'Returns the state of the network and of the live chain.',
  role: 'read',
  params: {},
  result: z.object({
    version: z.string(),
    chainId: z.number(),
    chain: z.object({
      name: z.string(),
      stack: z.string(),
      currency: z.object({ name: z.string(), symbol: z.string(), decimals: z.number() }),
      blockTimeMs: z.number().nullable(),
      explorer: z.string().nullable(),
    }),
    rules: z.object({
      hardfork: z.string(),
      source: z.enum(['option', 'profile', 'schedule', 'probe', 'eth_config', 'header', 'default']),
      since: Timestamp.nullable(),
    }),
    head: BlockPoint.extend({ timestamp: Timestamp }),
    base: BlockPoint,
    origin: BlockPoint,
    mode: z.string(),
    accounts: z.array(HexAddress),
    upstream: z
      .object({
        url: z.string(),
        chainId: z.number(),
        head: z.number(),
        headTimestamp: Timestamp,
        blocksAhead: z.number(),
        headSource: z.enum(['websocket', 'polling']),
        changeSource: z.string().nullable(),
        cacheBytes: z.number(),
        reachable: z.boolean(),
        detached: z.enum(['away', 'other chain']).nullable(),
        lastContactAt: Timestamp.nullable(),
        profiles: z.record(
          z.string(),
          z.object({
            batch: z.number(),
            batchRefusal: z.string().nullable(),
            stateNames: z.enum(['hash', 'number', 'latest']),
            missingMethods: z.array(z.string()),
            limitedAtRate: z.number().nullable(),
            foundAt: Timestamp,
          }),
        ),
      })
      .nullable(),
    fidelity: z
      .object({
        checkedAt: Timestamp,
        hardfork: z.string(),
        transactions: z.number(),
        transactionsAgree: z.number(),
        blocks: z.number(),
        blocksAgree: z.number(),
        stopped: z.string().nullable(),
      })
      .nullable(),
    node: z
      .object({
        id: z.string(),
        role: z.enum(['sealer', 'reader']),
        sealer: z.string().nullable(),
        revision: z.number(),
        behind: z.number(),
      })
      .nullable(),
    dataDirectory: z.string(),
    startedAt: Timestamp,
  }),
  example: {
    params: [],
    result: {
      version: '0.1.0',
      chainId: 1,
      chain: {
        name: 'Ethereum',
        stack: 'ethereum',
        currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        blockTimeMs: 12000,
        explorer: 'https://etherscan.io',
      },
      rules: { hardfork: 'cancun', source: 'schedule', since: null },
      head: {
        number: 21000012,
        hash: '0xd5f1812548be429cbdc6376b29611fc49e06f1359758c4ceaaa3b393e2239f9c',
        timestamp: '2024-10-20T12:00:11.000Z',
      },
      base: { number: 21000000, hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b' },
      origin: { number: 21000000, hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b' },
      mode: 'instant',
      accounts: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
      upstream: {
        url: 'https://rpc.example/v3/***',
        chainId: 1,
        head: 21000000,
        headTimestamp: '2024-10-20T12:00:00.000Z',
        blocksAhead: 0,
        headSource: 'websocket',
        changeSource: 'debug_traceBlockByHash',
        cacheBytes: 1843200,
        reachable: true,
        detached: null,
        lastContactAt: '2024-10-20T12:00:10.000Z',
        profiles: {
          'https://mainnet.example/v3/***': {
            batch: 3,
            batchRefusal: 'answered: Batch of more than 3 requests are not allowed on free tier',
            stateNames: 'hash',
            missingMethods: ['debug_traceBlockByHash'],
            limitedAtRate: null,
            foundAt: '2024-10-20T11:48:02.000Z',
          },
        },
      },
      fidelity: {
        checkedAt: '2024-10-20T11:00:04.000Z',
        hardfork: 'cancun',
        transactions: 200,
        transactionsAgree: 200,
        blocks: 2,
        blocksAgree: 2,
        stopped: null,
      },
      node: null,
      dataDirectory: '.understudy',
      startedAt: '2024-10-20T11:00:00.000Z',
    },
  },
  handler: (services) => encodeNetworkInfo(services),
})
