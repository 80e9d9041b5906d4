import type { CodeLines } from '../../contracts/codeLines.ts'
import type { RunIndex } from './runIndex.ts'

/** The lines of a source file that have code in the contracts of a run, in order. */
export type FileLines = {
  file: string
  lines: number[]
  /** Those that the run comes to. */
  reached: number[]
}

/** `codes`: the lines of each call, as far as they are known. */
export function linesOf(index: RunIndex, codes: ReadonlyMap<number, CodeLines>): FileLines[] {
  const files = new Map<string, { lines: Set<number>; reached: Set<number> }>()
  // Calls of the same contract share their lines.
  for (const code of new Set(codes.values()))
    for (const [file, lines] of code.linesByFile()) {
      const known = files.get(file) ?? { lines: new Set(), reached: new Set() }
      for (const line of lines) known.lines.add(line)
      files.set(file, known)
    }
  for (const { file, line } of index.locations.filter((location) => location !== undefined))
    if (file !== undefined && line !== undefined) files.get(file)?.reached.add(line)
  const inOrder = (lines: Set<number>) => [...lines].sort((a, b) => a - b)
  return [...files].map(([file, { lines, reached }]) => ({ file, lines: inOrder(lines), reached: inOrder(reached) }))
}
