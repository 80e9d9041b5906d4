import type { NumberedSource } from '../lines/lineTable.ts'
import { type Artifact, parseJson, sourceMapsOf } from './artifact.ts'
import { isBuildInfo, type ProjectFiles } from './projectFiles.ts'

type CompiledCode = { sourceMap?: string }

type BuildInfo = {
  input?: { sources?: Record<string, { content?: string }> }
  output?: {
    sources?: Record<string, { id?: number }>
    contracts?: Record<
      string,
      Record<
        string,
        {
          storageLayout?: Record<string, unknown>
          evm?: { bytecode?: CompiledCode; deployedBytecode?: CompiledCode }
        }
      >
    >
  }
  /** Foundry: the paths of sources by their numbers. */
  source_id_to_path?: Record<string, string>
}

/** The source maps of a contract, and the sources by the numbers that they have there. */
export type MappedSources = {
  maps: { runtime: string | undefined; creation: string | undefined }
  sources: Map<number, NumberedSource>
}

/** Reads the build infos of Hardhat and Foundry, each at most once. They hold what artifacts lack. */
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

  async function outputOf(artifact: Artifact, artifactPath: string): Promise<BuildInfo['output']> {
    const name = await outputNameOf(artifact, artifactPath)
    const path = all.find((each) => each.endsWith(`/${name}`))
    return path === undefined ? undefined : (await load(path)).output
  }

  const contractIn = (output: BuildInfo['output'], artifact: Artifact) => {
    const { contractName = '', sourceName = '', inputSourceName = sourceName } = artifact
    return output?.contracts?.[inputSourceName]?.[contractName]
  }

  /** Foundry: of several compilations, the newest that has the artifact's source by its number. */
  async function pathsOf({ id }: Artifact, sourcePath: string | null | undefined): Promise<Record<string, string>> {
    if (id === undefined || !sourcePath) return {}
    for (const path of [...all].reverse()) {
      const { source_id_to_path: paths = {} } = await load(path)
      if (paths[id] === sourcePath) return paths
    }
    return {}
  }

  async function loadSource(sourcePath: string): Promise<string | undefined> {
    for (const path of all.filter((each) => !each.endsWith('.output.json'))) {
      const sources = Object.entries((await load(path)).input?.sources ?? {})
      const [, found] = sources.find(([name]) => name === sourcePath || name.endsWith(`/${sourcePath}`)) ?? []
      if (found?.content !== undefined) return found.content
    }
    return undefined
  }

  return {
    /** The source maps of an artifact with the sources that they refer to. */
    async mapped(
      artifact: Artifact,
      artifactPath: string,
      sourcePath: string | null | undefined,
    ): Promise<MappedSources> {
      const own = sourceMapsOf(artifact)
      const output = own.runtime === undefined ? await outputOf(artifact, artifactPath) : undefined
      const { bytecode, deployedBytecode } = contractIn(output, artifact)?.evm ?? {}
      const paths = output
        ? Object.entries(output.sources ?? {}).map(([path, { id }]) => [Number(id), path] as const)
        : Object.entries(await pathsOf(artifact, sourcePath)).map(([id, path]) => [Number(id), path] as const)
      const sources = new Map<number, NumberedSource>()
      for (const [id, path] of paths) {
        const content = (await loadSource(path)) ?? (await read(path))
        if (content !== undefined) sources.set(id, { path, content })
      }
      const maps = {
        runtime: own.runtime ?? deployedBytecode?.sourceMap,
        creation: own.creation ?? bytecode?.sourceMap,
      }
      return { maps, sources }
    },
    /** The storage layout of an artifact; `undefined` when the compiler was not asked for one. */
    async storageLayout(artifact: Artifact, artifactPath: string): Promise<Record<string, unknown> | undefined> {
      return contractIn(await outputOf(artifact, artifactPath), artifact)?.storageLayout
    },
    /** The text of a source, by its path or by the end of it. */
    source: loadSource,
  }
}
