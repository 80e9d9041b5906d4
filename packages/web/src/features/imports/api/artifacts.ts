/** One compiled contract, as dev_importContracts takes it. */
export type LocalContract = {
  name: string
  abi: string
  bytecode: string
  creationBytecode?: string
  deployedBytecode?: string
  sourcePath?: string
  storageLayout?: object
  bytecodeLinkReferences?: object
  deployedBytecodeLinkReferences?: object
}

type Bytecode = { object?: string; linkReferences?: object }
type Artifact = {
  contractName?: string
  sourceName?: string
  abi?: unknown
  bytecode?: string | Bytecode
  deployedBytecode?: string | Bytecode
  linkReferences?: object
  deployedLinkReferences?: object
  storageLayout?: object
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

function referencesOf(bytecode: string | Bytecode | undefined): object | undefined {
  return typeof bytecode === 'object' ? bytecode.linkReferences : undefined
}
