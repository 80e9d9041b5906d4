import type { FoundFile } from './droppedFiles.ts'

/** The most characters of sources that are pushed at once; what is beyond is left out. */
const totalLimit = 20_000_000
/** A build info larger than this is not read, in bytes. */
const buildInfoLimit = 100_000_000

/** Finds the text of a source file by the path that its artifact names. */
export type SourceTexts = (sourcePath: string) => string | undefined

/** Reads what was found of sources: the files themselves, and what build infos hold of them. */
export async function readSources(files: readonly FoundFile[]): Promise<SourceTexts> {
  const texts = new Map<string, string>()
  for (const { path, file } of files) {
    if (isSource(path)) texts.set(path, await file.text())
    if (!isBuildInfo(path) || file.size > buildInfoLimit) continue
    for (const [name, text] of sourcesOf(await file.text())) texts.set(name, text)
  }
  let left = totalLimit
  return (sourcePath) => {
    const text =
      texts.get(sourcePath) ?? texts.get([...texts.keys()].find((path) => path.endsWith(`/${sourcePath}`)) ?? '')
    if (text === undefined || text.length > left) return undefined
    left -= text.length
    return text
  }
}

export const isSource = (path: string): boolean => /\.(sol|vyi?)$/.test(path) && !path.includes('/node_modules/')
export const isBuildInfo = (path: string): boolean => /\/build-info\/[^/]+\.json$/.test(path)

function sourcesOf(buildInfo: string): [string, string][] {
  try {
    const { input } = JSON.parse(buildInfo) as { input?: { sources?: Record<string, { content?: string }> } }
    return Object.entries(input?.sources ?? {}).flatMap(([path, { content }]) =>
      content === undefined ? [] : [[path, content] as [string, string]],
    )
  } catch {
    return []
  }
}
