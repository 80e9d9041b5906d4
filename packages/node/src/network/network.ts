import type { Address, Word } from '@understudy/evm'
import type { Head } from '../chain/block.ts'
import { forgetFunding } from '../chain/rewind/funding.ts'
import { localRulesKey } from '../chain/sealing/blockSettings.ts'
import { type OpeningBlock, openingFrom, openingKey, openingTransactionFrom } from '../chain/sealing/openingBlock.ts'
import { headerFromRpc } from '../ethereum/header.ts'
import { reportKey } from '../fidelity/fidelity.ts'
import { shadowKey } from '../shadow/shadow.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { bytesFromHex, quantity } from '../shared/hex.ts'
import type { Database, PostgresLocation, Queries } from '../storage/database.ts'
import { loadNewestBlock } from '../storage/records/chain/blocks.ts'
import { removeExplorerContracts } from '../storage/records/contracts/explorerContracts.ts'
import { blockClockKey, loadSetting, renewInstanceId, saveSetting } from '../storage/records/settings.ts'
import { blockFromAnswer, listFromAnswer } from '../upstream/answers.ts'
import type { AllocatedAccount } from '../upstream/cache/baseState.ts'
import { namedRulesKey, rulesKey } from '../upstream/rules/chainRules.ts'
import type { KnownChain, Upstream } from '../upstream/upstream.ts'
import type { Base } from '../upstream/wantedState.ts'
import { webhookCursorKey } from '../webhook/cursor.ts'
import type { Genesis, StoredAlloc } from './genesisFile.ts'

type RawBlock = Record<string, unknown>

/** The stored identity of a network: which chain it forks, and where. */
export type StoredNetwork = {
  /** Decimal. */
  chainId: string
  /** Decimal; `null` if nothing is forked. */
  upstreamChainId: string | null
  /** The upstream block at which the network was forked, as upstream returned it. */
  origin: RawBlock
  /** The finalized upstream block at that time; absent if upstream did not name one, or in a record of an older version. */
  finalized?: { number: string; hash: Word }
  /** True if it was forked at a chosen block: untouched state stays there. */
  isPinned: boolean
  /** Set if it was forked after a transaction, which is that of the last one here. */
  opening?: OpeningBlock & { hash: Word }
  /** Set if a reset, not the configuration, chose the block or the live chain. */
  isReset?: boolean
  /** The target of the last reset; the configured one if there was none. */
  forkUrls?: string[]
  /** Set if a genesis file described it: with what it begins, also after a reset. */
  genesis?: { digest: string; timestamp?: number; alloc: StoredAlloc }
}

/**
 * The block at which the network was forked: as the parent of the first local block, and as upstream returned it, with
 * the block that was finalized then.
 */
export type Origin = Head & { raw: RawBlock; finalized: Base | undefined; opening: OpeningBlock | undefined }

export type Network = {
  chainId: bigint
  upstreamChainId: bigint | undefined
  origin: Origin
  isPinned: boolean
  /** The accounts with which it begins, if it forks nothing. */
  alloc: ReadonlyMap<Address, AllocatedAccount>
  /** When its clock begins, by its genesis file, in seconds since 1970. */
  genesisTime: number | undefined
}

type Wanted = {
  location: string | PostgresLocation
  chainId: bigint | undefined
  forkBlockNumber: bigint | undefined
  forkTransactionHash: Word | undefined
  /** When the clock of a new network starts, in seconds since 1970; `undefined`: now. */
  timestamp: number | undefined
  /** What its genesis file says; `undefined`: no file is named. */
  described: Genesis | undefined
}

type OpenNeeds = {
  database: Database
  upstream: Upstream | undefined
  /** What a new network forks; `undefined` if nothing, or if one is stored. */
  forked: Promise<StoredNetwork> | undefined
  genesis: () => RawBlock
}

/**
 * Loads the identity of a stored network. A new network is forked at `forkBlockNumber` (below 0, the distance to
 * upstream's head) or upstream's head, or starts at `genesis` if it forks nothing. Throws `DATA_DIRECTORY_CHAIN_MISMATCH`, `NETWORK_CHAIN_MISMATCH`, `CONFIG_INVALID`.
 */
export async function openNetwork(
  { location, chainId, forkBlockNumber, forkTransactionHash, timestamp, described }: Wanted,
  { database, upstream, forked, genesis }: OpenNeeds,
): Promise<Network> {
  const { queries } = database
  const stored = await loadSetting<StoredNetwork>(queries, 'network')
  const upstreamChainId = upstream?.chainId()
  if (!stored) {
    const record = (await forked) ?? {
      chainId: String(chainId ?? described?.chainId ?? 31_337n),
      upstreamChainId: null,
      origin: genesis(),
      isPinned: false,
      ...(described && {
        genesis: {
          digest: described.digest,
          ...(described.timestamp !== undefined && { timestamp: described.timestamp }),
          alloc: described.alloc,
        },
      }),
    }
    if (timestamp !== undefined) requireLater(timestamp, record)
    await database.transaction(async (transaction) => {
      await saveNetwork(transaction, record)
      await renewInstanceId(transaction)
      if (record.opening) await saveSetting(transaction, openingKey, record.opening)
    })
    return networkFrom(record)
  }

  const { number } = originFrom(stored).base
  const refuse = (wanted: string) => refusal(location, stored, wanted)
  if (stored.upstreamChainId !== (upstreamChainId?.toString() ?? null))
    throw refuse(upstreamChainId === undefined ? 'a network that forks nothing' : `a fork of chain ${upstreamChainId}`)
  if (chainId !== undefined && chainId.toString() !== stored.chainId) throw refuse(`one with chain id ${chainId}`)
  // A block below the head is one below that of the first start.
  if (!stored.isReset && forkBlockNumber !== undefined && forkBlockNumber >= 0n && forkBlockNumber !== number)
    throw refuse(`a fork at block ${forkBlockNumber}`)
  if (!stored.isReset && forkTransactionHash !== undefined && forkTransactionHash !== stored.opening?.hash)
    throw refuse(`a fork after transaction ${forkTransactionHash}`)
  if (!stored.isReset && described && described.digest !== stored.genesis?.digest)
    throw refuse('one that begins as the file of --init says now')
  return networkFrom(stored)
}

/** Throws `CONFIG_INVALID` if a clock that starts then is not ahead of the forked block. */
function requireLater(timestamp: number, record: StoredNetwork): void {
  const { header } = originFrom(record)
  if (record.upstreamChainId === null || BigInt(timestamp) > header.timestamp) return
  throw new NetworkError('CONFIG_INVALID', {
    option: '--timestamp',
    problem: `${timestamp} is not later than block ${header.number} of the live chain, which has the time ${header.timestamp}. Pass a later one, or fork at an earlier block with --fork-block-number`,
  })
}

function refusal(location: Wanted['location'], stored: StoredNetwork, wanted: string): NetworkError {
  const held =
    stored.upstreamChainId === null ? 'a network that forks nothing' : `a fork of chain ${stored.upstreamChainId}`
  const after = stored.opening ? `, after transaction ${stored.opening.hash}` : ''
  const what = `${held} with chain id ${stored.chainId}, started at block ${originFrom(stored).base.number}${after}`
  return typeof location === 'string'
    ? new NetworkError('DATA_DIRECTORY_CHAIN_MISMATCH', { directory: location, stored: what, wanted })
    : new NetworkError('NETWORK_CHAIN_MISMATCH', { network: location.network, stored: what, wanted })
}

/** The identity of a stored network; `undefined` if the location is empty. */
export const loadStoredNetwork = (queries: Queries) => loadSetting<StoredNetwork>(queries, 'network')

/** The live chain that a stored network forks, with the blocks that identify it; `undefined` if there is none. */
export async function loadKnownChain(
  queries: Queries,
  stored: StoredNetwork | undefined,
): Promise<KnownChain | undefined> {
  if (!stored?.upstreamChainId) return undefined
  const newest = await loadNewestBlock(queries)
  const base = newest && { number: newest.baseNumber, hash: newest.baseHash }
  return { chainId: BigInt(stored.upstreamChainId), blocks: blocksBelow(originFrom(stored), base) }
}

/**
 * The blocks that identify the forked chain: the latest base, and, because a reorg may have removed them, the origin,
 * its parent and the block that was finalized when the network was forked.
 */
export function blocksBelow({ base: origin, header, finalized }: Origin, base: Base = origin): Base[] {
  const blocks = [base, origin, { number: origin.number - 1n, hash: header.parentHash }, finalized]
  const known = blocks.filter((block) => block !== undefined && block.number >= 0n) as Base[]
  return known.filter(({ hash }, index) => known.findIndex((block) => block.hash === hash) === index)
}

/**
 * Converts an error about another upstream chain to one about the stored network; returns any other error unchanged.
 */
export function asRefusal(error: unknown, location: Wanted['location'], stored: StoredNetwork | undefined): unknown {
  if (stored && isNetworkError(error, 'UPSTREAM_CHAIN_MISMATCH'))
    return refusal(location, stored, `a fork of chain ${error.details.actual}`)
  if (stored && isNetworkError(error, 'UPSTREAM_HISTORY_MISMATCH'))
    return refusal(
      location,
      stored,
      `a fork of the chain at the fork URL, which has another block ${error.details.block}`,
    )
  return error
}

export const saveNetwork = (queries: Queries, network: StoredNetwork) => saveSetting(queries, 'network', network)

/** Stores the identity of the network that replaces another, whose local state is deleted in the same transaction. */
export async function saveNextNetwork(queries: Queries, next: StoredNetwork, before: Network): Promise<void> {
  await saveNetwork(queries, next)
  await renewInstanceId(queries)
  await forgetFunding(queries)
  await saveSetting(queries, openingKey, next.opening ?? null)
  await saveSetting(queries, 'oldestBlock', null)
  await saveSetting(queries, blockClockKey, null)
  await saveSetting(queries, localRulesKey, null)
  await saveSetting(queries, rulesKey, null)
  await saveSetting(queries, namedRulesKey, null)
  await saveSetting(queries, reportKey, null)
  await saveSetting(queries, shadowKey, null)
  await saveSetting(queries, webhookCursorKey, null)
  if (next.upstreamChainId !== (before.upstreamChainId?.toString() ?? null)) await removeExplorerContracts(queries)
}

/**
 * Asks for the identity of a network that forks after a transaction, at `forkBlockNumber`, or at the head. Throws
 * `BLOCK_NOT_FOUND`, `TRANSACTION_NOT_FOUND`.
 */
export async function forkedNetwork(
  { chainId, forkBlockNumber, forkTransactionHash }: Omit<Wanted, 'location' | 'timestamp' | 'described'>,
  upstream: Upstream,
): Promise<StoredNetwork> {
  if (forkTransactionHash !== undefined) return forkedAfter(forkTransactionHash, { chainId, upstream })
  const [origin, finalized] = await Promise.all([
    loadBlock(upstream, forkBlockNumber),
    // Not every chain has the tag.
    forkBlockNumber === undefined ? loadBlock(upstream, 'finalized').catch(() => undefined) : undefined,
  ])
  return {
    chainId: String(chainId ?? upstream.chainId()),
    upstreamChainId: String(upstream.chainId()),
    origin,
    ...(finalized && { finalized: { number: String(BigInt(finalized.number)), hash: finalized.hash } }),
    isPinned: forkBlockNumber !== undefined,
  }
}

/** The block before that of the transaction, and the transactions up to it. */
async function forkedAfter(
  hash: Word,
  { chainId, upstream }: { chainId: bigint | undefined; upstream: Upstream },
): Promise<StoredNetwork> {
  const ask = (method: string, params: readonly unknown[]) =>
    upstream.request(method, params, { waitsForRecovery: true })
  const found = (await ask('eth_getTransactionByHash', [hash])) as RawBlock | null
  if (typeof found?.blockHash !== 'string') throw new NetworkError('TRANSACTION_NOT_FOUND', { hash })
  const block = blockFromAnswer(found.blockHash, await ask('eth_getBlockByHash', [found.blockHash, true]))
  const parent = String(block.parentHash)
  const origin = blockFromAnswer(parent, await ask('eth_getBlockByHash', [parent, false]))
  const transactions = listFromAnswer('eth_getBlockByHash', block.transactions)
  const count = transactions.findIndex((each) => each.hash === hash) + 1
  if (count === 0) throw new NetworkError('TRANSACTION_NOT_FOUND', { hash })
  const run = transactions.slice(0, count).map(openingTransactionFrom)
  return {
    chainId: String(chainId ?? upstream.chainId()),
    upstreamChainId: String(upstream.chainId()),
    origin,
    opening: { ...openingFrom(headerFromRpc(block), run), hash },
    isPinned: true,
  }
}

function networkFrom(stored: StoredNetwork): Network {
  return {
    chainId: BigInt(stored.chainId),
    upstreamChainId: stored.upstreamChainId === null ? undefined : BigInt(stored.upstreamChainId),
    origin: originFrom(stored),
    isPinned: stored.isPinned,
    alloc: new Map(Object.entries(stored.genesis?.alloc ?? {}).map(allocatedFrom)),
    genesisTime: stored.genesis?.timestamp,
  }
}

function allocatedFrom([address, account]: [string, StoredAlloc[Address]]): [Address, AllocatedAccount] {
  const { balance, nonce, code, storage } = account
  const slots = Object.entries(storage).map(([slot, value]) => [slot as Word, BigInt(value)] as const)
  return [
    address as Address,
    { balance: BigInt(balance), nonce: BigInt(nonce), code: bytesFromHex(code), storage: new Map(slots) },
  ]
}

/** `block`: a number, or the distance to the head if it is below 0. */
async function loadBlock(upstream: Upstream, block: bigint | 'finalized' | undefined) {
  // The first head may be in the same batch.
  const headNumber = async () => (upstream.head.current() ?? (await upstream.head.refresh())).number
  const wanted = typeof block === 'bigint' && block < 0n ? (await headNumber()) + block : block
  const tag = typeof wanted === 'bigint' ? quantity(wanted) : (wanted ?? 'latest')
  const isBeforeGenesis = typeof wanted === 'bigint' && wanted < 0n
  const answer = isBeforeGenesis
    ? null
    : await upstream.request('eth_getBlockByNumber', [tag, false], { waitsForRecovery: true })
  if (answer !== null) return blockFromAnswer(tag, answer)
  throw new NetworkError('BLOCK_NOT_FOUND', { block: wanted ?? tag, head: await headNumber() })
}

function originFrom({
  origin: raw,
  finalized,
  opening,
}: Pick<StoredNetwork, 'origin' | 'finalized' | 'opening'>): Origin {
  const header = headerFromRpc(raw)
  const hash = raw.hash as Word
  return {
    hash,
    header,
    base: { number: header.number, hash },
    raw,
    finalized: finalized && { number: BigInt(finalized.number), hash: finalized.hash },
    opening,
  }
}
