import type { Result } from '@understudy/client/methods'

/**
 * Coverage in the format of lcov's tracefiles (geninfo(1)). Counts are 0 or 1: whether something was reached is known, not how
 * often. A branch of a condition that was never reached is `-`.
 */
export function lcovOf(files: Result<'dev_getCoverage'>['files']): string {
  return files.map(lcovOfFile).join('')
}

type File = Result<'dev_getCoverage'>['files'][number]

function lcovOfFile({ path, reachedLines, missedLines, functions, branches }: File): string {
  const lines = new Map([
    ...reachedLines.map((line) => [line, 1] as const),
    ...missedLines.map((line) => [line, 0] as const),
  ])
  const outcomes = branches.flatMap(({ fallsThrough, jumps }) => [fallsThrough, jumps])
  const countOf = (isReached: boolean) => Number(isReached)
  const rows = [
    'TN:',
    `SF:${inOneLine(path)}`,
    ...functions.map(({ name, line }) => `FN:${line},${inOneLine(name)}`),
    ...functions.map(({ name, isReached }) => `FNDA:${countOf(isReached)},${inOneLine(name)}`),
    `FNF:${functions.length}`,
    `FNH:${functions.filter(({ isReached }) => isReached).length}`,
    ...branches.flatMap(({ line, fallsThrough, jumps }, block) =>
      [fallsThrough, jumps].map(
        (taken, branch) => `BRDA:${line},${block},${branch},${fallsThrough || jumps ? countOf(taken) : '-'}`,
      ),
    ),
    `BRF:${outcomes.length}`,
    `BRH:${outcomes.filter((taken) => taken).length}`,
    ...[...lines].sort(([a], [b]) => a - b).map(([line, count]) => `DA:${line},${count}`),
    `LF:${lines.size}`,
    `LH:${reachedLines.length}`,
    'end_of_record',
  ]
  return `${rows.join('\n')}\n`
}

/** Names are as they were imported. */
const inOneLine = (name: string) => name.replace(/[\r\n]/g, ' ')
