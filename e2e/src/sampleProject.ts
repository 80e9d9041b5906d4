import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Abi, Hex } from 'viem'

/** What a compiler said of a contract of the sample chain. */
export type SampleArtifact = {
  sourceName: string
  abi: Abi
  bytecode: Hex
  deployedBytecode: Hex
  linkReferences: object
  deployedLinkReferences: object
  storageLayout: object
}

const network = dirname(createRequire(import.meta.url).resolve('@understudy/node/package.json'))

export async function loadSampleArtifact(name: string): Promise<SampleArtifact> {
  const artifacts = await import(join(network, 'generated/sampleContracts/index.js'))
  return artifacts[name]
}

/** The text of a source file of the sample chain's contracts. */
export function sampleSource(file: string): string {
  return readFileSync(join(network, 'src/sample/contracts', file), 'utf8')
}

/** A contract of the sample chain as dev_importContracts takes it, under another name. */
export async function importedSample(artifact: string, name: string) {
  const { abi, bytecode, deployedBytecode, linkReferences, deployedLinkReferences, storageLayout, sourceName } =
    await loadSampleArtifact(artifact)
  return {
    name,
    abi: JSON.stringify(abi),
    bytecode: deployedBytecode,
    creationBytecode: bytecode,
    deployedBytecode,
    bytecodeLinkReferences: linkReferences,
    deployedBytecodeLinkReferences: deployedLinkReferences,
    storageLayout,
    sourcePath: `contracts/${sourceName}`,
    source: sampleSource(sourceName),
  }
}
