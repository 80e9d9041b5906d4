import type { Result } from './actions.ts'

export type ReportedDivergence = Result<'dev_getDivergences'>['items'][number]

/** Reads the pages of `dev_getDivergences`, until there are no more or so many are read. Oldest first. */
export async function loadAllDivergences(
  loadPage: (page: { limit: number; cursor?: string }) => Promise<Result<'dev_getDivergences'>>,
  most = Number.POSITIVE_INFINITY,
): Promise<ReportedDivergence[]> {
  const found: ReportedDivergence[] = []
  let cursor: string | undefined
  do {
    const page = await loadPage({ limit: 200, ...(cursor !== undefined && { cursor }) })
    found.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor !== undefined && found.length < most)
  return found.reverse()
}

/** Divergences of the same function. */
export type DivergedFunction = { contract: string; function: string; found: ReportedDivergence[] }

const targetOf = ({ contract, to, function: signature, selector }: ReportedDivergence) => ({
  contract: contract ?? to ?? 'creations',
  function: signature ?? selector ?? 'transfers',
})

/** What diverged, by the function that was called, the most frequent first. */
export function divergencesByFunction(divergences: readonly ReportedDivergence[]): DivergedFunction[] {
  const groups = new Map<string, DivergedFunction>()
  for (const each of divergences) {
    const target = targetOf(each)
    const key = JSON.stringify(target)
    const group = groups.get(key) ?? { ...target, found: [] }
    group.found.push(each)
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => b.found.length - a.found.length)
}

/** A divergence in one line. */
export function divergenceLine(divergence: ReportedDivergence): string {
  const { hash, block, kind, unexpected, isCascade, reason, live, shadow, line } = divergence
  const [there, here] = [live, shadow].map((side) => side && `${side.status}${side.reason ? ` (${side.reason})` : ''}`)
  const what =
    reason ?? `${unexpected.join(', ')}: ${there} there, ${here} here, gas ${live.gasUsed} and ${shadow?.gasUsed}`
  const where = line?.file ? ` at ${line.file}:${line.line}` : ''
  return `${hash} in block ${block}: ${kind}${isCascade ? ', a cascade' : ''}; ${what}${where}`
}

/** A JUnit report: a test for each function that diverged, and one for all transactions that came out the same. */
export function divergencesAsJunit(
  divergences: readonly ReportedDivergence[],
  { name, seconds = 0, same }: { name: string; seconds?: number; same: number },
): string {
  const groups = divergencesByFunction(divergences)
  const failed = groups.map(
    ({ contract, function: signature, found }) =>
      `  <testcase classname="${escapeXml(contract)}" name="${escapeXml(signature)}">\n` +
      `    <failure message="${found.length} transactions diverged">${escapeXml(found.map(divergenceLine).join('\n'))}</failure>\n  </testcase>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escapeXml(name)}" tests="${groups.length + 1}" failures="${groups.length}" time="${seconds.toFixed(3)}">`,
    ...failed,
    `  <testcase classname="shadow" name="${same} transactions come out the same"/>`,
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
