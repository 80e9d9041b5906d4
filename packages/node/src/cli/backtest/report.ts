import type { Result } from '@understudy/client'
import { formatTable } from '../remote/format.ts'

type Divergence = Result<'dev_getDivergences'>['items'][number]

export type BacktestReport = {
  fromBlock: number
  toBlock: number
  /** Of this run; a run that continues another counts only what it did itself. */
  seconds: number
  counts: Result<'dev_getShadow'>['counts']
  rules: string[]
  /** Those that no rule expects, oldest first, without those that cannot be reproduced. */
  divergences: Divergence[]
  unreproducible: Divergence[]
}

const targetOf = ({ contract, to, function: signature, selector }: Divergence) => ({
  contract: contract ?? to ?? 'creations',
  function: signature ?? selector ?? 'transfers',
})

/** What diverged, by the function that was called. */
function byFunction(divergences: readonly Divergence[]) {
  const groups = new Map<string, { contract: string; function: string; found: Divergence[] }>()
  for (const each of divergences) {
    const target = targetOf(each)
    const key = JSON.stringify(target)
    const group = groups.get(key) ?? { ...target, found: [] }
    group.found.push(each)
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => b.found.length - a.found.length)
}

const linesOf = ({ hash, block, kind, unexpected, isCascade, reason, live, shadow }: Divergence) => {
  const [there, here] = [live, shadow].map((side) => side && `${side.status}${side.reason ? ` (${side.reason})` : ''}`)
  const what =
    reason ?? `${unexpected.join(', ')}: ${there} there, ${here} here, gas ${live.gasUsed} and ${shadow?.gasUsed}`
  return `${hash} in block ${block}: ${kind}${isCascade ? ', a cascade' : ''}; ${what}`
}

/** The report for a terminal. */
export function formatReport(report: BacktestReport): string {
  const { counts, divergences, fromBlock, toBlock, seconds } = report
  const ran = counts.same + counts.diverged + counts.refused
  const lines = [
    `Blocks ${fromBlock} to ${toBlock} in ${seconds.toFixed(1)} s: ${ran} transactions touched the changes, ${counts.same} came out the same.`,
    `${divergences.length} diverged against the rules, ${counts.unreproducible} cannot be reproduced.`,
  ]
  if (divergences.length === 0) return lines.join('\n')
  const rows = byFunction(divergences).map(({ found, ...target }) => ({
    ...target,
    diverged: found.length,
    'by themselves': found.filter(({ isCascade }) => !isCascade).length,
    'fail now': found.filter(({ live, shadow }) => live.status === 'success' && shadow?.status !== 'success').length,
  }))
  return [...lines, '', formatTable(rows), '', ...divergences.slice(0, 10).map(linesOf)].join('\n')
}

/** A JUnit report: a test for each function that diverged, and one for all others. */
export function junitOf({ divergences, fromBlock, toBlock, seconds, counts }: BacktestReport): string {
  const groups = byFunction(divergences)
  const failed = groups.map(
    ({ contract, function: name, found }) =>
      `  <testcase classname="${escapeXml(contract)}" name="${escapeXml(name)}">\n` +
      `    <failure message="${found.length} transactions diverged">${escapeXml(found.map(linesOf).join('\n'))}</failure>\n  </testcase>`,
  )
  const same = `  <testcase classname="backtest" name="${counts.same} transactions come out the same"/>`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="backtest of blocks ${fromBlock} to ${toBlock}" tests="${groups.length + 1}" failures="${groups.length}" time="${seconds.toFixed(3)}">`,
    ...failed,
    same,
    '</testsuite>',
    '',
  ].join('\n')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  // Control characters are not allowed in XML, escaped or not.
  const allowed = [...text].filter((character) => character >= ' ' || character === '\n').join('')
  return allowed.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
