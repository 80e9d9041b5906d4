import { z } from 'zod'

/** A source file of a contract. */
export type SourceFile = { path: string; content: string }

/** Maximum number of characters stored of an explorer's sources for one contract. */
export const sourceLimit = 4_000_000

const Sources = z.record(z.string(), z.object({ content: z.string() }))

/** The files of a compiler's standard JSON, the one at `first` first; none for other input. */
export function sourceFilesOf(sources: unknown, first?: string): SourceFile[] {
  const { success, data } = Sources.safeParse(sources)
  if (!success) return []
  const files = Object.entries(data).map(([path, { content }]) => ({ path, content }))
  return [...files.filter(({ path }) => path === first), ...files.filter(({ path }) => path !== first)]
}

/** All files, or none if they are too large to store. */
export function withinSourceLimit(files: readonly SourceFile[]): SourceFile[] {
  const size = files.reduce((sum, { path, content }) => sum + path.length + content.length, 0)
  return size > sourceLimit ? [] : [...files]
}
