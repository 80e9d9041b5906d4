import type { NumberedSource } from '../lines/lineTable.ts'
import type { GeneratedCode, Syntax } from '../lines/scopes.ts'
import { SyntaxTrees } from '../lines/syntaxTrees.ts'
import { type Artifact, type CompilerSettings, originOf, parseJson, sourceMapsOf } from './artifact.ts'
import { isBuildInfo, type ProjectFiles } from './projectFiles.ts'

type CompiledCode = { sourceMap?: string }

type BuildInfo = {
  input?: {
    sources?: Record<string, { content?: string }>
    settings?: CompilerSettings
  }
  output?: {
    sources?: Record<string, { id?: number; ast?: unknown }>
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
  /** `undefined` without the syntax trees of the compilation. */
  syntax: Syntax | undefined
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

  async function infoOf(artifact: Artifact, artifactPath: string): Promise<BuildInfo | undefined> {
    const name = await outputNameOf(artifact, artifactPath)
    const path = all.find((each) => each.endsWith(`/${name}`))
    if (path === undefined) return undefined
    const info = await load(path)
    // Hardhat 3 keeps what the compiler was given in another file.
    return info.input ? info : { ...info, input: (await load(path.replace(/\.output\.json$/, '.json'))).input }
  }

  const outputOf = async (artifact: Artifact, artifactPath: string) => (await infoOf(artifact, artifactPath))?.output

  const contractIn = (output: BuildInfo['output'], artifact: Artifact) => {
    const { contractName = '', sourceName = '', inputSourceName = sourceName } = artifact
    return output?.contracts?.[inputSourceName]?.[contractName]
  }

  /** Foundry: of several compilations, the newest that has the artifact's source by its number. */
  async function infoWith({ id }: Artifact, sourcePath: string | null | undefined): Promise<BuildInfo> {
    if (id === undefined || !sourcePath) return {}
    for (const path of [...all].reverse()) {
      const info = await load(path)
      if (info.source_id_to_path?.[id] === sourcePath) return info
    }
    return {}
  }

  const trees = new Map<object, SyntaxTrees>()

  /** Of all sources of the compilation or, where Foundry kept no others, of the artifact's own. */
  function syntaxOf({ input, output }: BuildInfo, artifact: Artifact): Syntax | undefined {
    const settings = input?.settings ?? (typeof artifact.metadata === 'object' ? artifact.metadata.settings : undefined)
    const code = settings ? generatedCodeOf(settings) : 'optimized'
    const all = Object.values(output?.sources ?? {}).filter(({ id, ast }) => id !== undefined && ast !== undefined)
    const { contractName: name, sourceName = '' } = originOf(artifact)
    const file = output?.sources?.[artifact.inputSourceName ?? sourceName]?.id ?? artifact.id
    const contract = name === undefined || file === undefined ? undefined : { file, name }
    if (output && all.length > 0) {
      const known = trees.get(output) ?? new SyntaxTrees(new Map(all.map(({ id, ast }) => [Number(id), ast])))
      trees.set(output, known)
      return { trees: known, code, contract }
    }
    const { id, ast } = artifact
    if (id === undefined || ast === undefined) return undefined
    return { trees: new SyntaxTrees(new Map([[id, ast]])), code, contract }
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
      const hardhat = own.runtime === undefined ? await infoOf(artifact, artifactPath) : undefined
      const info = hardhat?.output ? hardhat : await infoWith(artifact, sourcePath)
      const output = hardhat?.output
      const { bytecode, deployedBytecode } = contractIn(output, artifact)?.evm ?? {}
      const paths = output
        ? Object.entries(output.sources ?? {}).map(([path, { id }]) => [Number(id), path] as const)
        : Object.entries(info.source_id_to_path ?? {}).map(([id, path]) => [Number(id), path] as const)
      const sources = new Map<number, NumberedSource>()
      for (const [id, path] of paths) {
        const content = (await loadSource(path)) ?? (await read(path))
        if (content !== undefined) sources.set(id, { path, content })
      }
      const maps = {
        runtime: own.runtime ?? deployedBytecode?.sourceMap,
        creation: own.creation ?? bytecode?.sourceMap,
      }
      return { maps, sources, syntax: syntaxOf(info, artifact) }
    },
    /** The storage layout of an artifact; `undefined` when the compiler was not asked for one. */
    async storageLayout(artifact: Artifact, artifactPath: string): Promise<Record<string, unknown> | undefined> {
      return contractIn(await outputOf(artifact, artifactPath), artifact)?.storageLayout
    },
    /** The text of a source, by its path or by the end of it. */
    source: loadSource,
  }
}

/** How code is made with settings of the compiler. Only without any optimiser is it plain code: single steps of it can be on without `enabled`. */
export function generatedCodeOf({ viaIR, viaSSACFG, optimizer }: CompilerSettings): GeneratedCode {
  if (viaIR === true || viaSSACFG === true) return 'yul'
  return optimizer?.enabled === true || optimizer?.details !== undefined ? 'optimized' : 'plain'
}
