import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A contract as `dev_importContracts` takes it. */
export type PushedContract = {
  name: string
  abi: string
  bytecode: string
  creationBytecode: string
  deployedBytecode: string
  sourcePath?: string
  source?: string
  storageLayout?: unknown
  bytecodeLinkReferences?: unknown
  deployedBytecodeLinkReferences?: unknown
}

/** Where build tools leave what they compiled, below the root of a project. */
export const outputFolders = ['out', 'artifacts'] as const

type HardhatArtifact = {
  contractName: string
  sourceName: string
  abi: unknown[]
  bytecode: string
  deployedBytecode: string
  linkReferences?: unknown
  deployedLinkReferences?: unknown
}
type FoundryArtifact = {
  abi: unknown[]
  bytecode: { object: string; linkReferences?: unknown }
  deployedBytecode: { object: string; linkReferences?: unknown }
  metadata?: { settings?: { compilationTarget?: Record<string, string> } }
  storageLayout?: unknown
}

/** The contracts with code that Foundry or Hardhat (2 or 3) compiled in a project; those of its tests and scripts are left out. */
export async function readArtifacts(
  project: string,
  { storageLayout }: { storageLayout: boolean },
): Promise<PushedContract[]> {
  const contracts: PushedContract[] = []
  for (const folder of outputFolders) {
    if (!existsSync(join(project, folder))) continue
    const files = await readdir(join(project, folder), { recursive: true })
    for (const file of files.filter(isArtifact).sort()) {
      const read = contractFrom(JSON.parse(await readFile(join(project, folder, file), 'utf8')))
      if (!read || !hasCode(read) || isOfTests(read.sourcePath)) continue
      const source = await readSource(project, read.sourcePath)
      contracts.push({ ...read, ...(source !== undefined && { source }), storageLayout: undefined })
      if (storageLayout) Object.assign(contracts.at(-1) ?? {}, { storageLayout: read.storageLayout })
    }
  }
  return contracts
}

function isArtifact(file: string): boolean {
  return file.endsWith('.json') && !file.endsWith('.dbg.json') && !/(^|[\\/])(build-info|cache)[\\/]/.test(file)
}

/** `undefined` for a file that is no artifact. */
function contractFrom(json: Partial<HardhatArtifact & FoundryArtifact>): PushedContract | undefined {
  if (!Array.isArray(json.abi) || json.bytecode === undefined || json.deployedBytecode === undefined) return undefined
  const isFoundry = typeof json.bytecode === 'object'
  return isFoundry ? fromFoundry(json as FoundryArtifact) : fromHardhat(json as HardhatArtifact)
}

function fromHardhat(artifact: HardhatArtifact): PushedContract {
  const { contractName, sourceName, abi, bytecode, deployedBytecode } = artifact
  return {
    name: contractName,
    abi: JSON.stringify(abi),
    bytecode: deployedBytecode,
    creationBytecode: bytecode,
    deployedBytecode,
    sourcePath: sourceName,
    bytecodeLinkReferences: artifact.linkReferences,
    deployedBytecodeLinkReferences: artifact.deployedLinkReferences,
  }
}

function fromFoundry({ abi, bytecode, deployedBytecode, metadata, storageLayout }: FoundryArtifact) {
  const [target] = Object.entries(metadata?.settings?.compilationTarget ?? {})
  if (!target) return undefined
  const [sourcePath, name] = target
  return {
    name,
    abi: JSON.stringify(abi),
    bytecode: deployedBytecode.object,
    creationBytecode: bytecode.object,
    deployedBytecode: deployedBytecode.object,
    sourcePath,
    storageLayout,
    bytecodeLinkReferences: bytecode.linkReferences,
    deployedBytecodeLinkReferences: deployedBytecode.linkReferences,
  }
}

/** Interfaces and abstract contracts have none, and nothing that is deployed is one of them. */
function hasCode({ bytecode }: PushedContract): boolean {
  return bytecode.length > 2
}

function isOfTests(sourcePath = ''): boolean {
  return /\.[ts]\.sol$|(^|\/)(forge-std|ds-test)\//.test(sourcePath)
}

async function readSource(project: string, sourcePath: string | undefined): Promise<string | undefined> {
  const path = sourcePath === undefined ? undefined : join(project, sourcePath)
  return path !== undefined && existsSync(path) ? readFile(path, 'utf8') : undefined
}
