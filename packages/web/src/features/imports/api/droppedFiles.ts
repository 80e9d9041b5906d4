import { isBuildInfo, isSource } from './sources.ts'

/** A file with its path below what was dropped or chosen. */
export type FoundFile = { path: string; file: File }

/** The artifacts and sources of what was dropped, folders and all. */
export async function filesFrom(items: DataTransferItemList): Promise<FoundFile[]> {
  // The list is emptied once the event is over: entries are taken first.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return (await Promise.all(entries.map(walk))).flat()
}

export function chosenFiles(files: FileList): FoundFile[] {
  return [...files]
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => isWanted(path))
}

/** Folders that hold none of the project's own contracts, and often very much else. */
const skipped = new Set(['node_modules', '.git', 'cache'])

async function walk(entry: FileSystemEntry): Promise<FoundFile[]> {
  if (skipped.has(entry.name)) return []
  if (entry.isFile) {
    if (!isWanted(entry.fullPath)) return []
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ path: entry.fullPath, file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const children: FileSystemEntry[] = []
  // A reader answers at most a hundred at once.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) break
    children.push(...some)
  }
  return (await Promise.all(children.map(walk))).flat()
}

const isWanted = (path: string) => isArtifactPath(path) || isBuildInfo(path) || isSource(path)

export function isArtifactPath(path: string): boolean {
  return path.endsWith('.json') && !path.endsWith('.dbg.json') && !/\/(build-info|cache|node_modules)\//.test(path)
}
