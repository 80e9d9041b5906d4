import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Address, Hex } from 'viem'

type References = Record<string, Record<string, { start: number; length: number }[]>>

/** What Hardhat stores of a compiled contract. */
export type Artifact = { contractName: string; abi: Abi; bytecode: Hex; linkReferences: References }

/** The contracts of a compiled project, by name. */
export function readArtifacts(directory: string): Map<string, Artifact> {
  const folder = join(directory, 'artifacts')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    files
      .filter((file) => file.endsWith('.json') && !file.startsWith('build-info'))
      .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Artifact)
      .map((artifact) => [artifact.contractName, artifact]),
  )
}

/** The code that creates a contract, with the addresses of the libraries that it calls. */
export function linkedCode({ bytecode, linkReferences }: Artifact, addressOf: (library: string) => Address): Hex {
  let code: string = bytecode
  for (const libraries of Object.values(linkReferences))
    for (const [library, references] of Object.entries(libraries))
      for (const { start, length } of references) {
        const at = 2 + 2 * start
        code = code.slice(0, at) + addressOf(library).slice(2) + code.slice(at + 2 * length)
      }
  return code as Hex
}
