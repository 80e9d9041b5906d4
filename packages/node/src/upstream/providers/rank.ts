import { knownProfile } from '../../ethereum/chains/profiles.ts'
import { enoughState, tellsChanges } from './consequences.ts'
import type { EndpointReport } from './report.ts'

/** An endpoint by its position in the list of those that were checked. */
export type Ranked = {
  position: number
  /** Why it comes before those after it, or where it is. */
  reason: string
}

type Criterion = { reason: string; rank(report: EndpointReport): number }

const isTrue = (value: boolean | null | undefined) => (value ? 1 : 0)
/** What a latency is rounded to: less is not felt. */
const latencyStep = 2

/** What matters to a network, the most important first. */
const criteria: readonly Criterion[] = [
  {
    reason: 'its state is that of the block that was asked for',
    rank: ({ state }) => isTrue(state?.isByNumber && !state.isFaked),
  },
  {
    reason: 'it keeps state long enough',
    rank: ({ state }) => isTrue(state?.refused === null || (state?.deepest ?? 0) >= enoughState),
  },
  { reason: 'it takes larger batches', rank: ({ batches }) => Math.floor(Math.log2(batches?.largest ?? 1) / 2) },
  { reason: 'it takes block hashes', rank: ({ blockHashes }) => isTrue(blockHashes?.areTaken) },
  { reason: 'it did not refuse requests', rank: ({ rate }) => isTrue(rate?.refusal === null) },
  { reason: 'it tells what a block changed', rank: (report) => isTrue(tellsChanges(report)) },
  {
    reason: 'it is faster',
    rank: ({ latencyMs }) => -Math.round(Math.log2(Math.max(1, latencyMs ?? 1e6)) * latencyStep),
  },
  { reason: 'it has the state of every block', rank: ({ state }) => isTrue(state?.refused === null) },
  { reason: 'its queries of logs may have more blocks', rank: ({ logs }) => logs?.blocks ?? 0 },
  { reason: 'it announces new heads', rank: ({ announcesHeads }) => isTrue(announcesHeads) },
]

/** Marks those of another chain than the first usable one as unusable: a network would refuse them. */
export function refuseOtherChains(reports: readonly EndpointReport[]): EndpointReport[] {
  const first = reports.find(({ isUsable }) => isUsable)
  return reports.map((report) => {
    if (!first || !report.isUsable || report === first) return report
    const problem = otherChain(report, first)
    return problem === null ? report : { ...report, isUsable: false, problem }
  })
}

function otherChain(report: EndpointReport, first: EndpointReport): string | null {
  if (report.chainId !== first.chainId)
    return `It is another chain: ${chainText(report.chainId)}, while ${first.url} is ${chainText(first.chainId)}. Leave one of them out.`
  if (report.genesis === null || first.genesis === null || report.genesis === first.genesis) return null
  return `It is another chain with the same id: its block 0 is ${report.genesis}, while that of ${first.url} is ${first.genesis}. Leave one of them out.`
}

/** A chain's id with its name, if it is known. */
export function chainText(chainId: number | null): string {
  const profile = chainId === null ? undefined : knownProfile(BigInt(chainId))
  return profile ? `${chainId} (${profile.name})` : String(chainId)
}

/** The usable endpoints in the order in which to pass them. */
export function rankEndpoints(reports: readonly EndpointReport[]): Ranked[] {
  const usable = reports.map((report, position) => ({ report, position })).filter(({ report }) => report.isUsable)
  usable.sort((a, b) => differenceOf(a.report, b.report)?.order ?? a.position - b.position)
  return usable.map(({ report, position }, index) => {
    const next = usable[index + 1]
    if (!next) return { position, reason: 'for when the others fail' }
    const difference = differenceOf(report, next.report)
    return { position, reason: difference ? difference.reason : 'it is as good as the next' }
  })
}

function differenceOf(a: EndpointReport, b: EndpointReport): { order: number; reason: string } | undefined {
  for (const { rank, reason } of criteria) {
    const order = rank(b) - rank(a)
    if (order !== 0) return { order, reason }
  }
  return undefined
}
