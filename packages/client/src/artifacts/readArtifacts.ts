import { lineTableOf, type ReadSources } from '../lines/lineTable.ts'
import { artifactFrom, type CompiledContract, contractFrom } from './artifact.ts'
import { createBuildInfos } from './buildInfo.ts'
import { isArtifact, type ProjectFiles } from './projectFiles.ts'

/**
 * The contracts that Foundry or Hardhat (2 or 3) compiled in a project, with their sources where they are found.
 * Interfaces, tests and scripts are left out.
 */
export async function readArtifacts(
  files: ProjectFiles,
  { storageLayouts }: { storageLayouts: boolean },
): Promise<CompiledContract[]> {
  const buildInfos = createBuildInfos(files)
  const contracts: CompiledContract[] = []
  const readSources: ReadSources = new Map()
  for (const path of files.paths.filter(isArtifact).sort()) {
    const artifact = artifactFrom((await files.read(path)) ?? '')
    const contract = artifact && contractFrom(artifact, path)
    if (!contract || isOfTests(contract.sourcePath)) continue
    const { sourcePath, storageLayout } = contract
    const source = sourcePath ? ((await files.read(sourcePath)) ?? (await buildInfos.source(sourcePath))) : undefined
    const { maps, sources, syntax } = await buildInfos.mapped(artifact, path, sourcePath)
    const lines = lineTableOf(maps, sources, readSources, syntax)
    contracts.push({
      ...contract,
      ...(lines && { lines }),
      ...(source !== undefined && { source }),
      storageLayout: storageLayouts ? (storageLayout ?? (await buildInfos.storageLayout(artifact, path))) : undefined,
    })
  }
  return withUniqueNames(contracts)
}

function isOfTests(sourcePath: string | null | undefined): boolean {
  return /\.[ts]\.sol$|(^|\/)(forge-std|ds-test)\//.test(sourcePath ?? '')
}

/** An import has each name once: contracts that share one get the path of their source as a prefix. */
function withUniqueNames(contracts: readonly CompiledContract[]): CompiledContract[] {
  const times = new Map<string, number>()
  for (const { name } of contracts) times.set(name, (times.get(name) ?? 0) + 1)
  return contracts.map((contract) =>
    (times.get(contract.name) ?? 0) > 1 ? { ...contract, name: `${contract.sourcePath}:${contract.name}` } : contract,
  )
}
