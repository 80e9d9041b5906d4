import { formatMiningMode } from '../../../ethereum/miningMode.ts'
import { maskUrl } from '../../../shared/maskUrl.ts'
import type { NetworkInfo, Services } from '../../services.ts'

/** Information about the network, without secrets. */
export function encodeNetworkInfo({ info, upstream, history, mining, senders, node, fidelity }: Services) {
  const { version, upstreamChainId, dataDirectory, startedAt, chain, rulesAt } = info()
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
    Object.entries(profiles).map(([url, { batchRefusal, missingMethods, limitedAtRate, foundAt, ...profile }]) => [
      maskUrl(url),
      {
        ...profile,
        missingMethods: [...missingMethods],
        batchRefusal: batchRefusal ?? null,
        limitedAtRate: limitedAtRate ?? null,
        foundAt: new Date(foundAt).toISOString(),
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

function encodeRules({ hardfork, source, since }: ReturnType<NetworkInfo['rulesAt']>) {
  return { hardfork, source, since: since === undefined ? null : isoTime(since) }
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

/** In the syntax of `--mine`. */

/** The maximum of a `Date`, in milliseconds. */
const lastMoment = 8.64e15

function isoTime(seconds: bigint): string {
  return new Date(Math.min(Number(seconds) * 1000, lastMoment)).toISOString()
}
