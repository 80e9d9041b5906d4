import type { Params } from '../../../lib/rpc/rpc.ts'

/** One compiled contract, as dev_importContracts takes it. */
export type LocalContract = Params<'dev_importContracts'>[0]['contracts'][number]

type LinkReferences = LocalContract['bytecodeLinkReferences']
type Bytecode = { object?: string; linkReferences?: LinkReferences }
type Artifact = {
  contractName?: string
  sourceName?: string
  abi?: unknown
  bytecode?: string | Bytecode
  deployedBytecode?: string | Bytecode
  linkReferences?: LinkReferences
  deployedLinkReferences?: LinkReferences
  storageLayout?: LocalContract['storageLayout']
  metadata?: { settings?: { compilationTarget?: Record<string, string> } } | string
}

/**
 * A contract from a file of Hardhat's `artifacts/` or Foundry's `out/`; `undefined` for their other files (build infos, caches).
 * `path` names the contract where the artifact does not.
 */
export function contractFrom(path: string, text: string): LocalContract | undefined {
  const artifact = parse(text)
  if (!artifact || !Array.isArray(artifact.abi)) return undefined
  const creation = hexOf(artifact.bytecode)
  const deployed = hexOf(artifact.deployedBytecode)
  if (creation === undefined && deployed === undefined) return undefined
  const target = typeof artifact.metadata === 'object' ? artifact.metadata.settings?.compilationTarget : undefined
  const [source, name] = Object.entries(target ?? {})[0] ?? []
  return {
    name: artifact.contractName ?? name ?? path.replace(/^.*\//, '').replace(/\.json$/, ''),
    abi: JSON.stringify(artifact.abi),
    bytecode: deployed ?? '0x',
    ...(creation && creation !== '0x' && { creationBytecode: creation }),
    ...(deployed && deployed !== '0x' && { deployedBytecode: deployed }),
    sourcePath: artifact.sourceName ?? source,
    storageLayout: artifact.storageLayout,
    bytecodeLinkReferences: artifact.linkReferences ?? referencesOf(artifact.bytecode),
    deployedBytecodeLinkReferences: artifact.deployedLinkReferences ?? referencesOf(artifact.deployedBytecode),
  }
}

function parse(text: string): Artifact | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function hexOf(bytecode: string | Bytecode | undefined): string | undefined {
  const hex = typeof bytecode === 'object' ? bytecode.object : bytecode
  return hex === undefined || hex.startsWith('0x') ? hex : `0x${hex}`
}

function referencesOf(bytecode: string | Bytecode | undefined): LinkReferences {
  return typeof bytecode === 'object' ? bytecode.linkReferences : undefined
}
