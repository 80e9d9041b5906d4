import { z } from 'zod'

/** A file of a contract's sources. */
export type SourceFile = { path: string; content: string }

/** The most characters that are kept of what explorers send of one contract. */
export const sourceLimit = 4_000_000

const Sources = z.record(z.string(), z.object({ content: z.string() }))

/** The files of a compiler's standard JSON, the one at `first` first; none of anything else. */
export function sourceFilesOf(sources: unknown, first?: string): SourceFile[] {
  const { success, data } = Sources.safeParse(sources)
  if (!success) return []
  const files = Object.entries(data).map(([path, { content }]) => ({ path, content }))
  return [...files.filter(({ path }) => path === first), ...files.filter(({ path }) => path !== first)]
}

/** All files, or none when they are too large to keep. */
export function withinSourceLimit(files: readonly SourceFile[]): SourceFile[] {
  const size = files.reduce((sum, { path, content }) => sum + path.length + content.length, 0)
  return size > sourceLimit ? [] : [...files]
}
