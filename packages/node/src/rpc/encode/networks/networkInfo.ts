import { pricesOf } from '@understudy/evm'
import { z } from 'zod'
import type { PriceName } from '../../../ethereum/chains/prices/shown.ts'
import { formatMiningMode } from '../../../ethereum/miningMode.ts'
import { requireRules } from '../../../ethereum/rules.ts'
import { maskUrl } from '../../../shared/urls.ts'
import { HexAddress, HexWord, Timestamp } from '../../codecs/wire.ts'
import type { NetworkInfo, Services } from '../../services.ts'

const BlockPoint = z.object({ number: z.number(), hash: HexWord })

const PrecompilePrice = z.object({
  base: z.number(),
  perWord: z.number(),
  perByte: z.number().optional(),
  factor: z.number().optional(),
})
const priceNames = Object.keys(pricesOf('berlin')).filter((name) => name !== 'precompiles') as PriceName[]
const Prices = z.object({
  ...(Object.fromEntries(priceNames.map((name) => [name, z.number()])) as Record<PriceName, z.ZodNumber>),
  precompiles: z.record(HexAddress, PrecompilePrice),
})

/** Numbers are JSON numbers here, times ISO 8601. */
export const NetworkInfoObject = z.object({
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
    disagreement: z.object({ source: z.enum(['header', 'eth_config', 'schedule']), hardfork: z.string() }).nullable(),
    prices: Prices,
    pricing: z.object({
      source: z.enum(['measured', 'profile', 'fork']),
      different: z.array(
        z.object({
          name: z.string(),
          fork: z.number().nullable(),
          price: z.union([z.number(), PrecompilePrice]),
          source: z.enum(['measured', 'profile']),
        }),
      ),
      unmeasured: z.array(z.string()),
      odd: z.array(z.string()),
    }),
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
      followsHead: z.boolean(),
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
          refusedBatchBytes: z.number().nullable(),
          batchRefusal: z.string().nullable(),
          stateNames: z.enum(['hash', 'number', 'latest']),
          stateBlocks: z.number().nullable(),
          missingMethods: z.array(z.string()),
          limitedAtRate: z.number().nullable(),
          limitedAtUnits: z.number().nullable(),
          logBlocks: z.number().nullable(),
          logRows: z.number().nullable(),
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
})

export const exampleNetworkInfo = {
  version: '0.1.0',
  chainId: 1,
  chain: {
    name: 'Ethereum',
    stack: 'ethereum',
    currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    blockTimeMs: 12000,
    explorer: 'https://etherscan.io',
  },
  rules: {
    hardfork: 'cancun',
    source: 'probe' as const,
    since: '2024-10-20T11:00:00.000Z',
    disagreement: null,
    prices: { ...pricesOf('cancun'), coldSload: 5460 },
    pricing: {
      source: 'measured' as const,
      different: [{ name: 'coldSload', fork: 2100, price: 5460, source: 'measured' as const }],
      unmeasured: ['refundSelfdestruct'],
      odd: [],
    },
  },
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
    followsHead: true,
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
        refusedBatchBytes: null,
        batchRefusal: 'answered: Batch of more than 3 requests are not allowed on free tier',
        stateNames: 'hash',
        stateBlocks: 128,
        missingMethods: ['debug_traceBlockByHash'],
        limitedAtRate: 25,
        limitedAtUnits: 530,
        logBlocks: 10000,
        logRows: null,
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
}

/** Information about the network, without secrets. */
export function encodeNetworkInfo({ info, upstream, history, mining, senders, node, fidelity }: Services) {
  const { version, upstreamChainId, followsHead, dataDirectory, startedAt, chain, rulesAt } = info()
  const { hash, header, base } = history.head()
  const live = upstream()
  return {
    version,
    chainId: Number(history.chainId),
    chain: encodeProfile(chain),
    rules: encodeRules(rulesAt(header)),
    head: { number: Number(header.number), hash, timestamp: isoTime(header.timestamp) },
    base: encodePoint(base),
    origin: encodePoint(history.origin),
    mode: formatMiningMode(mining.mode()),
    accounts: senders.funded(),
    upstream: live
      ? {
          url: maskUrl(live.url),
          chainId: Number(upstreamChainId ?? history.chainId),
          head: Number(live.head),
          followsHead,
          headTimestamp: isoTime(live.headTimestamp),
          blocksAhead: Number(live.head - base.number),
          headSource: live.headSource,
          changeSource: live.changeSource ?? null,
          cacheBytes: live.cacheBytes,
          reachable: live.reachable,
          detached: detachedBy(live),
          lastContactAt: live.lastContactAt === undefined ? null : new Date(live.lastContactAt).toISOString(),
          profiles: encodeUpstreamProfiles(live.profiles),
        }
      : null,
    fidelity: encodeFidelity(fidelity.last()),
    node: encodeNode(node()),
    dataDirectory,
    startedAt: new Date(startedAt).toISOString(),
  }
}

function encodeUpstreamProfiles(profiles: NonNullable<ReturnType<Services['upstream']>>['profiles']) {
  return Object.fromEntries(
    Object.entries(profiles).map(([url, profile]) => [
      maskUrl(url),
      {
        batch: profile.batch,
        refusedBatchBytes: profile.refusedBatchBytes ?? null,
        batchRefusal: profile.batchRefusal ?? null,
        stateNames: profile.stateNames,
        stateBlocks: profile.stateBlocks ?? null,
        missingMethods: [...profile.missingMethods],
        limitedAtRate: profile.limitedAtRate ?? null,
        limitedAtUnits: profile.limitedAtUnits ?? null,
        logBlocks: profile.logBlocks ?? null,
        logRows: profile.logRows ?? null,
        foundAt: new Date(profile.foundAt).toISOString(),
      },
    ]),
  )
}

/** Why only known live state is served; `null` while the live chain answers. */
function detachedBy({
  reachable,
  isOtherChain,
}: NonNullable<ReturnType<Services['upstream']>>): 'away' | 'other chain' | null {
  if (reachable) return null
  return isOtherChain ? 'other chain' : 'away'
}

function encodeProfile({ name, stack, currency, blockTimeMs, explorer }: NetworkInfo['chain']) {
  return { name, stack, currency, blockTimeMs: blockTimeMs ?? null, explorer: explorer ?? null }
}

export function encodeRules({ hardfork, source, since, disagreement, prices }: ReturnType<NetworkInfo['rulesAt']>) {
  const own = pricesOf(requireRules(hardfork).fork)
  const { precompiles, ...values } = prices.values
  const sourceOf = (name: string) => (prices.ofProfile.includes(name) ? ('profile' as const) : ('measured' as const))
  const different = [
    ...Object.entries(values).map(([name, price]) => ({ name, fork: own[name as PriceName] as number | null, price })),
    ...Object.entries(precompiles ?? {}).map(([address, price]) => ({
      name: `precompiles.${address}`,
      fork: null,
      price,
    })),
  ]
  return {
    hardfork,
    source,
    since: since === undefined ? null : isoTime(since),
    disagreement: disagreement ?? null,
    prices: { ...own, ...prices.values },
    pricing: {
      source: prices.source,
      different: different.map((each) => ({ ...each, source: sourceOf(each.name) })),
      unmeasured: prices.unknown,
      odd: prices.odd,
    },
  }
}

/** What the last check found, in short; `null` if there was none. */
function encodeFidelity(report: ReturnType<Services['fidelity']['last']>) {
  if (!report) return null
  const { checkedAt, hardfork, transactions, transactionsAgree, blocks, blocksAgree, stopped } = report
  const checked = new Date(checkedAt).toISOString()
  return { checkedAt: checked, hardfork, transactions, transactionsAgree, blocks, blocksAgree, stopped }
}

/** The role of this node; `null` if the network cannot be shared. */
export function encodeNode(status: ReturnType<Services['node']>) {
  if (!status) return null
  const { id, role, sealer, revision, behind } = status
  return { id, role, sealer: sealer?.url ?? null, revision, behind }
}

function encodePoint({ number, hash }: { number: bigint; hash: `0x${string}` }) {
  return { number: Number(number), hash }
}

/** The maximum of a `Date`, in milliseconds. */
const lastMoment = 8.64e15

function isoTime(seconds: bigint): string {
  return new Date(Math.min(Number(seconds) * 1000, lastMoment)).toISOString()
}

/** Metadata of the network in the format of anvil and Hardhat. */
export async function encodeMetadata({ info, loadInstanceId, history }: Services) {
  const { version, chainId, upstreamChainId } = info()
  const instanceId = await loadInstanceId()
  const { hash, header } = history.head()
  return {
    clientVersion: `anvil/understudy-v${version}`,
    chainId: Number(chainId),
    instanceId,
    latestBlockNumber: Number(header.number),
    latestBlockHash: hash,
    ...(upstreamChainId !== undefined && {
      forkedNetwork: {
        chainId: Number(upstreamChainId),
        forkBlockNumber: Number(history.origin.number),
        forkBlockHash: history.origin.hash,
      },
    }),
  }
}
