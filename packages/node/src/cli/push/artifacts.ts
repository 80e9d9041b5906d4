import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStorageLayouts } from './buildInfo.ts'

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
  inputSourceName?: string
  buildInfoId?: string
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
  { storageLayout: withLayouts }: { storageLayout: boolean },
): Promise<PushedContract[]> {
  const contracts: PushedContract[] = []
  for (const folder of outputFolders.map((name) => join(project, name))) {
    if (!existsSync(folder)) continue
    const loadLayout = createStorageLayouts(folder)
    const files = await readdir(folder, { recursive: true })
    for (const file of files.filter(isArtifact).sort()) {
      const path = join(folder, file)
      const artifact = JSON.parse(await readFile(path, 'utf8')) as Artifact
      const read = contractFrom(artifact)
      if (!read || !hasCode(read) || isOfTests(read.sourcePath)) continue
      const source = await readSource(project, read.sourcePath)
      const storageLayout = withLayouts
        ? (read.storageLayout ?? (await loadLayout(artifact as HardhatArtifact, path)))
        : undefined
      contracts.push({ ...read, ...(source !== undefined && { source }), storageLayout })
    }
  }
  return withOwnNames(contracts)
}

/** A push has each name once: contracts that share one have the path of their source before it. */
function withOwnNames(contracts: readonly PushedContract[]): PushedContract[] {
  const times = new Map<string, number>()
  for (const { name } of contracts) times.set(name, (times.get(name) ?? 0) + 1)
  return contracts.map((contract) => {
    const { name, sourcePath } = contract
    return (times.get(name) ?? 0) > 1 ? { ...contract, name: `${sourcePath}:${name}` } : contract
  })
}

function isArtifact(file: string): boolean {
  return file.endsWith('.json') && !file.endsWith('.dbg.json') && !/(^|[\\/])(build-info|cache)[\\/]/.test(file)
}

type Artifact = Partial<HardhatArtifact & FoundryArtifact>

/** `undefined` for a file that is no artifact. */
function contractFrom(json: Artifact): PushedContract | undefined {
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
