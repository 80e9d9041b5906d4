import {
  divergenceLine,
  divergencesByFunction,
  loadAllDivergences,
  type ReportedDivergence,
} from '@understudy/client/divergences'
import type { Result } from '@understudy/client/methods'
import { formatTable } from '../remote/format.ts'
import type { RemoteNetwork } from '../remote/network.ts'

export type ShadowReport = {
  counts: Result<'dev_getShadow'>['counts']
  rules: string[]
  /** Those that no rule expects, oldest first, without those that cannot be reproduced. */
  divergences: ReportedDivergence[]
  unreproducible: ReportedDivergence[]
}

export type BacktestReport = ShadowReport & {
  fromBlock: number
  toBlock: number
  /** Of this run; a run that continues another counts only what it did itself. */
  seconds: number
}

/** The report for a terminal. */
export function formatReport(report: ShadowReport): string {
  const { counts, divergences } = report
  const ran = counts.same + counts.diverged + counts.refused
  const lines = [
    `${ran} transactions touched the changes, ${counts.same} came out the same.`,
    `${divergences.length} diverged against the rules, ${counts.unreproducible} cannot be reproduced.`,
  ]
  if (divergences.length === 0) return lines.join('\n')
  const rows = divergencesByFunction(divergences).map(({ found, ...target }) => ({
    ...target,
    diverged: found.length,
    'by themselves': found.filter(({ isCascade }) => !isCascade).length,
    'fail now': found.filter(({ live, shadow }) => live.status === 'success' && shadow?.status !== 'success').length,
  }))
  return [...lines, '', formatTable(rows), '', ...divergences.slice(0, 10).map(divergenceLine)].join('\n')
}

type Query = { rules?: readonly string[]; fromBlock?: number; toBlock?: number }

/** Reads what diverged on a network. Without rules, by those that were set. */
export async function loadShadowReport(network: RemoteNetwork, query: Query): Promise<ShadowReport> {
  const { counts, rules } = await network.call('dev_getShadow')
  return {
    counts,
    rules: [...(query.rules ?? rules)],
    divergences: await load(network, { ...query, kinds: ['diverged', 'refused'] }),
    unreproducible: await load(network, { ...query, kinds: ['unreproducible'] }),
  }
}

const load = (network: RemoteNetwork, query: Query & { kinds: string[] }): Promise<ReportedDivergence[]> =>
  loadAllDivergences((page) => network.call('dev_getDivergences', [{ ...query, lines: true, ...page }]))
