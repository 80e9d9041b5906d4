import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What an artifact of Hardhat tells of the compilation that it came from. */
type Origin = {
  contractName: string
  sourceName: string
  /** Hardhat 3: the source as the compiler was given it, and the compilation. */
  inputSourceName?: string
  buildInfoId?: string
}
type Output = { output?: { contracts?: Record<string, Record<string, { storageLayout?: unknown }>> } }
type Layouts = ReadonlyMap<string, unknown>

/** Answers the storage layout of an artifact; `undefined` where the compiler was not asked for one. */
export type LoadStorageLayout = (artifact: Origin, artifactPath: string) => Promise<unknown>

/**
 * Storage layouts of a Hardhat project: not in its artifacts, but in what the compiler put out, beside them in `build-info`. Each
 * compilation is read once.
 */
export function createStorageLayouts(artifactsFolder: string): LoadStorageLayout {
  const compilations = new Map<string, Promise<Layouts>>()
  const load = (path: string) => {
    const known = compilations.get(path) ?? readLayouts(path)
    compilations.set(path, known)
    return known
  }
  return async ({ contractName, sourceName, inputSourceName = sourceName, buildInfoId }, artifactPath) => {
    const path =
      buildInfoId === undefined
        ? await buildInfoOfHardhat2(artifactPath)
        : join(artifactsFolder, 'build-info', `${buildInfoId}.output.json`)
    return path === undefined ? undefined : (await load(path)).get(`${inputSourceName}:${contractName}`)
  }
}

/** Hardhat 2 names the compilation in a file beside the artifact. */
async function buildInfoOfHardhat2(artifactPath: string): Promise<string | undefined> {
  const path = artifactPath.replace(/\.json$/, '.dbg.json')
  if (!existsSync(path)) return undefined
  const { buildInfo } = JSON.parse(await readFile(path, 'utf8')) as { buildInfo?: string }
  return buildInfo === undefined ? undefined : join(dirname(path), buildInfo)
}

async function readLayouts(path: string): Promise<Layouts> {
  if (!existsSync(path)) return new Map()
  const { output } = JSON.parse(await readFile(path, 'utf8')) as Output
  return new Map(
    Object.entries(output?.contracts ?? {}).flatMap(([source, contracts]) =>
      Object.entries(contracts).map(([name, { storageLayout }]) => [`${source}:${name}`, storageLayout]),
    ),
  )
}
