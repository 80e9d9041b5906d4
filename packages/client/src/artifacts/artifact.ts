import type { Params } from '../actions.ts'

/** A compiled contract, as `dev_importContracts` takes it. */
export type CompiledContract = Params<'dev_importContracts'>[0]['contracts'][number]

type LinkReferences = CompiledContract['bytecodeLinkReferences']
type Bytecode = string | { object?: string; linkReferences?: LinkReferences; sourceMap?: string }

export type CompilerSettings = {
  viaIR?: unknown
  viaSSACFG?: unknown
  optimizer?: { enabled?: unknown; details?: unknown }
}

/** The fields of an artifact of Foundry, or of Hardhat 2 or 3, that matter here. */
export type Artifact = {
  abi: unknown[]
  bytecode?: Bytecode
  deployedBytecode?: Bytecode
  contractName?: string
  sourceName?: string
  linkReferences?: LinkReferences
  deployedLinkReferences?: LinkReferences
  storageLayout?: CompiledContract['storageLayout']
  metadata?: { settings?: CompilerSettings & { compilationTarget?: Record<string, string> } } | string
  /** Hardhat 3: the source as the compiler named it, and the compilation. */
  inputSourceName?: string
  buildInfoId?: string
  /** Foundry: the number of its source. */
  id?: number
  /** Foundry, when asked: the syntax tree of its source. */
  ast?: unknown
}

/** Reads a JSON file; `undefined` when it is not an artifact. */
export function artifactFrom(text: string): Artifact | undefined {
  const json = parseJson(text) as Artifact | undefined | null
  return Array.isArray(json?.abi) && (json.bytecode !== undefined || json.deployedBytecode !== undefined)
    ? json
    : undefined
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The contract of an artifact; `undefined` for interfaces and abstract contracts, which have no code. `path` is that of the file. */
export function contractFrom(artifact: Artifact, path: string): CompiledContract | undefined {
  const deployed = hexOf(artifact.deployedBytecode)
  if (deployed === '0x') return undefined
  const creation = hexOf(artifact.bytecode)
  const { sourceName, contractName } = originOf(artifact)
  return {
    name: contractName ?? path.replace(/^.*\//, '').replace(/\.json$/, ''),
    abi: JSON.stringify(artifact.abi),
    bytecode: deployed,
    deployedBytecode: deployed,
    ...(creation !== '0x' && { creationBytecode: creation }),
    sourcePath: sourceName,
    storageLayout: artifact.storageLayout,
    bytecodeLinkReferences: artifact.linkReferences ?? referencesOf(artifact.bytecode),
    deployedBytecodeLinkReferences: artifact.deployedLinkReferences ?? referencesOf(artifact.deployedBytecode),
  }
}

/** The source maps of an artifact; Hardhat keeps them in the build info. */
export function sourceMapsOf({ bytecode, deployedBytecode }: Artifact): { runtime?: string; creation?: string } {
  const mapOf = (code: Bytecode | undefined) => (typeof code === 'object' ? code.sourceMap : undefined)
  const [runtime, creation] = [mapOf(deployedBytecode), mapOf(bytecode)]
  return { ...(runtime && { runtime }), ...(creation && { creation }) }
}

/** Hardhat names the contract and its source in the artifact, Foundry in the metadata of the compiler. */
export function originOf({ contractName, sourceName, metadata }: Artifact): {
  contractName?: string
  sourceName?: string
} {
  const target = typeof metadata === 'object' ? metadata.settings?.compilationTarget : undefined
  const [source, name] = Object.entries(target ?? {})[0] ?? []
  return { contractName: contractName ?? name, sourceName: sourceName ?? source }
}

function hexOf(bytecode: Bytecode | undefined): string {
  const hex = (typeof bytecode === 'object' ? bytecode.object : bytecode) ?? '0x'
  return hex.startsWith('0x') ? hex : `0x${hex}`
}

function referencesOf(bytecode: Bytecode | undefined): LinkReferences {
  return typeof bytecode === 'object' ? bytecode.linkReferences : undefined
}
