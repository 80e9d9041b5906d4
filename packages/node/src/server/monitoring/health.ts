import { encodeNode } from '../../rpc/encode/networks/networkInfo.ts'
import type { Services } from '../../rpc/services.ts'
import type { Clock } from '../../shared/clock.ts'

/**
 * The result of `GET /health`: whether the network serves, its head, and how far it lags behind the live chain. A
 * network is `failing` if it cannot store anything; without its live chain it still serves what it has. Callers without
 * a key see no addresses or paths.
 */
export async function describeHealth(
  { info, history, upstream, checkStorage, node, tracking }: Services,
  clock: Clock,
  { isStranger }: { isStranger: boolean },
) {
  const { version } = info()
  const { hash, header, base } = history.head()
  const live = upstream()
  const storageProblem = await checkStorage()
  const slow = tracking.slow()
  const slowest = slow.slice(0, 3).map(({ id, ms }) => `${id} (${Math.round(ms)} ms)`)
  return {
    status: storageProblem === undefined ? ('ready' as const) : ('failing' as const),
    problems: [
      ...(storageProblem === undefined
        ? []
        : [isStranger ? 'nothing can be stored' : `nothing can be stored: ${storageProblem}`]),
      ...(live === undefined || live.reachable ? [] : [problemOf(live)]),
      ...(slow.length === 0
        ? []
        : [
            `${slow.length} tracked items were skipped because they take too much computing time together; slowest: ${slowest.join(', ')}`,
          ]),
    ],
    version,
    chainId: Number(history.chainId),
    head: { number: Number(header.number), hash, timestamp: Number(header.timestamp) },
    base: { number: Number(base.number), hash: base.hash },
    upstream: live
      ? {
          reachable: live.reachable,
          head: Number(live.head),
          source: live.headSource,
          lag: { blocks: Number(live.head - base.number), seconds: secondsSince(live.lastContactAt, clock) },
        }
      : null,
    node: isStranger ? withoutAddress(encodeNode(node())) : encodeNode(node()),
  }
}

function withoutAddress(node: ReturnType<typeof encodeNode>) {
  if (!node) return null
  const { sealer, ...shown } = node
  return shown
}

function problemOf({ isOtherChain }: { isOtherChain: boolean }): string {
  return isOtherChain
    ? 'detached from the live chain: another chain answers at its URL and is not used; known live state is served'
    : 'detached from the live chain: it does not answer; known live state is served'
}

/** Seconds since upstream last answered; `null` if it never did. */
function secondsSince(moment: number | undefined, clock: Clock): number | null {
  return moment === undefined ? null : Math.max(0, Math.floor((clock.now() - moment) / 1000))
}
