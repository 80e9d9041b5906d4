import { isWanted, largestFile, type ProjectFiles } from '@understudy/client/artifacts'

/** A file with its path below the dropped or selected folder. */
export type FoundFile = { path: string; file: File }

/** The files of a project among those that were dropped, folders included. */
export async function filesFrom(items: DataTransferItemList): Promise<FoundFile[]> {
  // The browser empties the list after the event: the entries are taken first.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  return (await Promise.all(entries.map(walk))).flat()
}

export function chosenFiles(files: FileList): FoundFile[] {
  return [...files]
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }))
    .filter(({ path }) => isWanted(path))
}

/** The folders may lie below the root of the project, or above it: a source is found by the end of its path. */
export function projectFrom(files: readonly FoundFile[]): ProjectFiles {
  const byPath = new Map(files.map(({ path, file }) => [path, file]))
  return {
    paths: [...byPath.keys()],
    async read(path) {
      const file = byPath.get(path) ?? files.find((each) => each.path.endsWith(`/${path}`))?.file
      return file && file.size <= largestFile ? file.text() : undefined
    },
  }
}

/** Large folders without contracts of the project. */
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
  // A reader returns at most a hundred entries at once.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) break
    children.push(...some)
  }
  return (await Promise.all(children.map(walk))).flat()
}
