import { createRequire } from 'node:module'
import { type LineTable, lineTableOf } from '@understudy/client/artifacts'
import type { Abi, Hex } from 'viem'

type Code = { object: string; sourceMap: string }
type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<
    string,
    Record<string, { abi: Abi; storageLayout: object; evm: { bytecode: Code; deployedBytecode: Code } }>
  >
}

/** A contract as solc of npm compiles it, and as `dev_importContracts` takes it. */
export type CompiledSource = { abi: Abi; bytecode: Hex; runtimeMap: string; imported: ImportedSource }

type ImportedSource = {
  name: string
  abi: string
  bytecode: Hex
  deployedBytecode: Hex
  creationBytecode: Hex
  sourcePath: string
  source: string
  lines: LineTable | undefined
  storageLayout: object
}

const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }

/** The contracts of a source file, by name, with their lines and storage layouts. */
export function compileSource(path: string, source: string): Record<string, CompiledSource> {
  const outputSelection = { '*': { '*': ['abi', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'] } }
  const input = { language: 'Solidity', sources: { [path]: { content: source } }, settings: { outputSelection } }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const failed = output.errors?.find(({ severity }) => severity === 'error')
  if (failed) throw new Error(failed.formattedMessage)
  const numbered = new Map([[0, { path, content: source }]])
  return Object.fromEntries(
    Object.entries(output.contracts[path] ?? {}).map(([name, { abi, storageLayout, evm }]) => {
      const [bytecode, deployed] = [`0x${evm.bytecode.object}`, `0x${evm.deployedBytecode.object}`] as const
      const runtimeMap = evm.deployedBytecode.sourceMap
      const imported = {
        name,
        abi: JSON.stringify(abi),
        bytecode: deployed,
        deployedBytecode: deployed,
        creationBytecode: bytecode,
        sourcePath: path,
        source,
        lines: lineTableOf({ runtime: runtimeMap, creation: evm.bytecode.sourceMap }, numbered),
        storageLayout,
      }
      return [name, { abi, bytecode, runtimeMap, imported }]
    }),
  )
}
