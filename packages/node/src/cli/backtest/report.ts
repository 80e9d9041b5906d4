import { divergenceLine, divergencesByFunction, type ReportedDivergence, type Result } from '@understudy/client'
import { formatTable } from '../remote/format.ts'

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
