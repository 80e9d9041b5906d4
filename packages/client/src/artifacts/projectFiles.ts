/** The folders in which Foundry and Hardhat keep their build output, below the root of a project. */
export const outputFolders = ['out', 'artifacts'] as const

/** A file larger than this is not read, in bytes. */
export const largestFile = 100_000_000

/** The files of a project, on disk or dropped on a page. Paths have `/`. */
export type ProjectFiles = {
  /** At least those of the build output. */
  paths: readonly string[]
  /** A file by its path, or a source by its path from the root of the project; `undefined` when there is none. */
  read(path: string): Promise<string | undefined>
}

export const isArtifact = (path: string): boolean =>
  path.endsWith('.json') && !path.endsWith('.dbg.json') && !/(^|\/)(build-info|cache|node_modules)\//.test(path)

export const isBuildInfo = (path: string): boolean => /(^|\/)build-info\/[^/]+\.json$/.test(path)

/** Whether `readArtifacts` may need the file. */
export const isWanted = (path: string): boolean =>
  isArtifact(path) || isBuildInfo(path) || (/\.(sol|vyi?|dbg\.json)$/.test(path) && !/(^|\/)node_modules\//.test(path))
