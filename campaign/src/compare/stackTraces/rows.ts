import type { Location, Trace } from './traces.ts'

/** `differs`: where the right locations are not known, as both networks do not agree without the optimiser. */
export type Verdict = 'same' | 'better' | 'worse' | 'differs'

export type Row = { name: string; hardhat: Trace; ours: Trace; verdict: Verdict }

/** `right`: the locations on which both networks agree for the code without optimisation, if they do. */
export function compared(name: string, hardhat: Trace, ours: Trace, right: readonly string[] | undefined): Row {
  return { name, hardhat, ours, verdict: verdictOf(linesOf(hardhat), linesOf(ours), right) }
}

function verdictOf(theirs: readonly string[], own: readonly string[], right: readonly string[] | undefined): Verdict {
  if (theirs.join() === own.join()) return 'same'
  if (theirs.length === 0) return 'better'
  if (!right) return 'differs'
  const difference = scoreOf(own, right) - scoreOf(theirs, right)
  return difference > 0 ? 'better' : difference < 0 ? 'worse' : 'differs'
}

/** The line that failed counts most, then each caller that is right. */
function scoreOf(lines: readonly string[], right: readonly string[]): number {
  return (lines[0] === right[0] ? 1000 : 0) + right.filter((line) => lines.includes(line)).length
}

/** The locations of a trace whose lines are known, as `file:line`. */
export const linesOf = ({ locations }: Trace) =>
  locations.filter(({ line }) => line !== null).map(({ file, line }) => `${file}:${line}`)

/** A table in Markdown: the reason and the locations of both, innermost first. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, hardhat, ours, verdict }) => `| ${name} | ${textOf(hardhat)} | ${textOf(ours)} | ${verdict} |`,
  )
  return ['| failure | Hardhat 3 | Understudy | |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

const textOf = ({ message, locations }: Trace) =>
  [message, ...locations.map(locationText)].map((text) => text.replaceAll('|', '\\|')).join('<br>')

function locationText({ file, line, function: name }: Location): string {
  const short = file?.replace(/^.*\//, '')
  return `${name ?? '?'} ${short ?? '?'}${line === null ? '' : `:${line}`}`
}
