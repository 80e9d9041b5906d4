import { createRequire } from 'node:module'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { generatedCodeOf, lineTableOf, type NumberedSource, SyntaxTrees } from '@understudy/client/artifacts'
import type { CompiledContract, CompileOutcome, CompilerData, CompileTask } from './compiler.ts'

// The thread of a compilation. The output of the compiler may be large: it is read here, and what is wanted of it is sent.

type Solc = { version(): string; compile(input: string): string }
type Output = {
  errors?: { severity: string; message?: string; formattedMessage?: string }[]
  contracts?: Record<string, Record<string, SolcContract>>
  sources?: Record<string, { id: number; ast?: unknown }>
}
type SolcContract = {
  abi: unknown[]
  storageLayout?: unknown
  evm: Record<'bytecode' | 'deployedBytecode', CompiledContract['deployed'] & { sourceMap?: string }>
}

/** Of longer sources, in characters, there are no syntax trees, which are some ten times as long: local variables are not known. */
const treeLimit = 500_000
/** Longest message of the compiler that is passed on, in characters. */
const messageLimit = 500

const { path, task, bounds } = workerData as CompilerData

/** Whether the compiler was refused the memory that it asked for last. It says so in many ways, or in none. */
let isOutOfMemory = false

type WasmMemory = { buffer: ArrayBuffer; grow(pages: number): number }

// The compiler is WebAssembly, whose memory is not of the heap.
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } }
const { grow } = WebAssembly.Memory.prototype
WebAssembly.Memory.prototype.grow = function (pages: number) {
  isOutOfMemory = this.buffer.byteLength + pages * 65_536 > bounds.memoryMb * 2 ** 20
  if (isOutOfMemory) throw new RangeError('out of memory')
  return grow.call(this, pages)
}

function outcomeOf(solc: Solc, { input, sourcePath, name }: CompileTask): CompileOutcome {
  const size = Object.values(input.sources).reduce((sum, { content = '' }) => sum + content.length, 0)
  const hasTrees = size <= treeLimit
  const wanted = ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'storageLayout']
  const outputSelection = { [sourcePath]: { [name]: wanted }, ...(hasTrees && { '*': { '': ['ast'] } }) }
  const text = compile(solc, JSON.stringify({ ...input, settings: { ...input.settings, outputSelection } }))
  if (text === undefined) return { type: 'memory' }
  if (text.length > bounds.outputLimit) return { type: 'output' }
  const { errors = [], contracts = {}, sources = {} } = JSON.parse(text) as Output
  const failed = errors.find(({ severity }) => severity === 'error')
  if (failed) {
    const problem = failed.formattedMessage ?? failed.message ?? 'the compiler does not say why'
    return { type: 'errors', problem: problem.slice(0, messageLimit) }
  }
  const compiled = contracts[sourcePath]?.[name]
  if (!compiled) return { type: 'missing' }
  const numbered = Object.entries(sources).map(([source, { id }]): [number, NumberedSource] => [
    id,
    { path: source, content: input.sources[source]?.content ?? '' },
  ])
  const file = sources[sourcePath]?.id
  const syntax = hasTrees
    ? {
        trees: new SyntaxTrees(new Map(Object.values(sources).map(({ id, ast }) => [id, ast]))),
        code: generatedCodeOf(input.settings ?? {}),
        contract: file === undefined ? undefined : { file, name },
      }
    : undefined
  const { abi, storageLayout, evm } = compiled
  const maps = { runtime: evm.deployedBytecode.sourceMap, creation: evm.bytecode.sourceMap }
  const codeOf = ({ object, linkReferences, immutableReferences }: CompiledContract['deployed']) => ({
    object,
    linkReferences,
    immutableReferences,
  })
  const contract = {
    abi: JSON.stringify(abi),
    storageLayout,
    creation: codeOf(evm.bytecode),
    deployed: codeOf(evm.deployedBytecode),
    lines: lineTableOf(maps, new Map(numbered), undefined, syntax),
  }
  return { type: 'compiled', contract }
}

/** `undefined` if it needs more memory than it may have. */
function compile(solc: Solc, input: string): string | undefined {
  try {
    const output = solc.compile(input)
    return isOutOfMemory ? undefined : output
  } catch (error) {
    if (isOutOfMemory) return undefined
    throw error
  }
}

const solc = createRequire(path)(path) as Solc
const installed = solc.version()
const { version } = task
const isWanted =
  installed === version || (installed.startsWith(version) && '+.'.includes(installed[version.length] ?? ''))
const port = parentPort as MessagePort
port.postMessage(isWanted ? outcomeOf(solc, task) : { type: 'version', installed })
