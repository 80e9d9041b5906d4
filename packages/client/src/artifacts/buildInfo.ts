import { type Artifact, parseJson } from './artifact.ts'
import { isBuildInfo, type ProjectFiles } from './projectFiles.ts'

type BuildInfo = {
  input?: { sources?: Record<string, { content?: string }> }
  output?: { contracts?: Record<string, Record<string, { storageLayout?: Record<string, unknown> }>> }
}

/** Reads the build infos of Hardhat, each at most once. They hold what its artifacts lack. */
export function createBuildInfos({ paths, read }: ProjectFiles) {
  const loaded = new Map<string, Promise<BuildInfo>>()
  const load = (path: string): Promise<BuildInfo> => {
    const known = loaded.get(path) ?? read(path).then((text) => (parseJson(text ?? '') ?? {}) as BuildInfo)
    loaded.set(path, known)
    return known
  }
  const all = paths.filter(isBuildInfo)

  /** The file name of the compiler output that an artifact belongs to. */
  async function outputNameOf({ buildInfoId }: Artifact, artifactPath: string): Promise<string | undefined> {
    if (buildInfoId !== undefined) return `${buildInfoId}.output.json`
    // Hardhat 2 names it in a file beside the artifact.
    const debug = parseJson((await read(artifactPath.replace(/\.json$/, '.dbg.json'))) ?? '')
    return (debug as { buildInfo?: string } | undefined)?.buildInfo?.replace(/^.*[\\/]/, '')
  }

  return {
    /** The storage layout of an artifact; `undefined` when the compiler was not asked for one. */
    async storageLayout(artifact: Artifact, artifactPath: string): Promise<Record<string, unknown> | undefined> {
      const { contractName = '', sourceName = '', inputSourceName = sourceName } = artifact
      const name = await outputNameOf(artifact, artifactPath)
      const path = all.find((each) => each.endsWith(`/${name}`))
      return path === undefined
        ? undefined
        : (await load(path)).output?.contracts?.[inputSourceName]?.[contractName]?.storageLayout
    },
    /** The text of a source, by its path or by the end of it. */
    async source(sourcePath: string): Promise<string | undefined> {
      for (const path of all.filter((each) => !each.endsWith('.output.json'))) {
        const sources = Object.entries((await load(path)).input?.sources ?? {})
        const [, found] = sources.find(([name]) => name === sourcePath || name.endsWith(`/${sourcePath}`)) ?? []
        if (found?.content !== undefined) return found.content
      }
      return undefined
    },
  }
}
