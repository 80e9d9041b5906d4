import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type CompiledContract, readArtifacts } from '@understudy/client/artifacts'
import type { Abi, Hex } from 'viem'

const require = createRequire(import.meta.url)
const solc = require('solc') as { compile(input: string, callbacks?: object): string }

type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  sources: Record<string, { id: number; ast: unknown }>
  contracts: Record<
    string,
    Record<string, { abi: Abi; evm: Record<'bytecode' | 'deployedBytecode', { object: string }> }>
  >
}
export type CompiledProject = { contracts: CompiledContract[]; deployable(name: string): { abi: Abi; bytecode: Hex } }

const outputSelection = { '*': { '': ['ast'], '*': ['abi', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'] } }

/** Compilers of other versions change the process that they are loaded into. */
const inProcess = "process.stdout.write(require(process.argv[1]).compile(require('node:fs').readFileSync(0, 'utf8')))"
const compileElsewhere = (compiler: string, input: string) =>
  execFileSync(process.execPath, ['-e', inProcess, require.resolve(compiler)], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
  })

/**
 * Compiles sources, and reads what Hardhat would leave of them as `understudy push` does. Imports are found in the packages of
 * npm. `change`: what the compiler answered may be changed before it is read. `compiler`: a package of another version, for
 * sources without imports.
 */
export async function compileProject(
  sources: Record<string, string>,
  settings: object = {},
  change: (output: Output) => void = () => {},
  compiler = 'solc',
): Promise<CompiledProject> {
  const contents = Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }]))
  const input = { language: 'Solidity', sources: contents, settings: { ...settings, outputSelection } }
  const found: Record<string, { content: string }> = { ...contents }
  const load = (path: string) => {
    found[path] = { content: readFileSync(require.resolve(path), 'utf8') }
    return { contents: found[path].content }
  }
  const text = JSON.stringify(input)
  const output: Output = JSON.parse(
    compiler === 'solc' ? solc.compile(text, { import: load }) : compileElsewhere(compiler, text),
  )
  for (const { severity, formattedMessage } of output.errors ?? [])
    if (severity === 'error') throw new Error(formattedMessage)
  change(output)
  const files = new Map<string, unknown>([
    ['artifacts/build-info/one.json', { input: { ...input, sources: found }, output }],
  ])
  for (const [sourceName, contracts] of Object.entries(output.contracts))
    for (const [contractName, { abi, evm }] of Object.entries(contracts)) {
      const path = `artifacts/${sourceName}/${contractName}`
      const [bytecode, deployedBytecode] = [`0x${evm.bytecode.object}`, `0x${evm.deployedBytecode.object}`]
      files.set(`${path}.json`, { contractName, sourceName, abi, bytecode, deployedBytecode })
      files.set(`${path}.dbg.json`, { buildInfo: '../../build-info/one.json' })
    }
  const read = async (path: string) => (files.has(path) ? JSON.stringify(files.get(path)) : undefined)
  return {
    contracts: await readArtifacts({ paths: [...files.keys()], read }, { storageLayouts: true }),
    deployable(name) {
      const [compiled] = Object.values(output.contracts).flatMap((contracts) => contracts[name] ?? [])
      if (!compiled) throw new Error(`There is no contract ${name}`)
      return { abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` }
    },
  }
}
