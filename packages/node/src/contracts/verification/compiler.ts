import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { LineTable } from '@understudy/client/artifacts'
import { createMutex } from '../../shared/async/mutex.ts'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { LinkReferences } from '../matching/codeTemplate.ts'

/** Compiles the contract `name` of the source at `sourcePath`. */
export type CompileTask = {
  /** The compiler's standard JSON; the output that it selects is not used. */
  input: { language?: string; sources: Record<string, { content?: string }>; settings?: Record<string, unknown> }
  sourcePath: string
  name: string
  /** With or without its commit: `0.8.30`. */
  version: string
}

export type CompiledContract = {
  /** JSON. */
  abi: string
  storageLayout: unknown
  creation: CompiledCode
  deployed: CompiledCode
  lines: LineTable | undefined
}

/** Hex digits, with the positions of what is filled in later, by file or variable. */
type CompiledCode = {
  object: string
  linkReferences?: LinkReferences | undefined
  immutableReferences?: LinkReferences[string] | undefined
}

/** What the thread of a compilation is given, and what it answers. */
export type CompilerData = { path: string; task: CompileTask; bounds: CompilerBounds }
export type CompileOutcome =
  | { type: 'compiled'; contract: CompiledContract }
  | { type: 'version'; installed: string }
  | { type: 'errors'; problem: string }
  | { type: 'missing' | 'memory' | 'output' }

export type CompilerBounds = {
  timeoutMs: number
  /** Of the memory of the compiler itself, and of the JavaScript heap around it, in MB. */
  memoryMb: number
  heapMb: number
  /** Longest output, in characters. */
  outputLimit: number
}

export const compilerBounds: CompilerBounds = {
  timeoutMs: 120_000,
  memoryMb: 1024,
  heapMb: 512,
  outputLimit: 16 * 1024 * 1024,
}

/** The Solidity compiler, if the `solc` package is installed. */
export type Compiler = {
  /**
   * Compiles one contract at a time. Throws `INVALID_PARAMS` if the sources do not compile or do not have the contract,
   * `UNSUPPORTED` without a compiler of this version, and `LIMIT_EXCEEDED`.
   */
  compile(task: CompileTask): Promise<CompiledContract>
}

type Needs = {
  clock: Clock
  /** The built file of its threads, if it is not next to this one. */
  file?: URL | undefined
  bounds?: CompilerBounds
}

/** Maximum number of waiting compilations. */
const queueLimit = 20

/** Compiles in a thread of its own, because it takes seconds; the package is loaded there. */
export function createCompiler({
  clock,
  file = new URL('./solcThread.js', import.meta.url),
  bounds = compilerBounds,
}: Needs): Compiler {
  const mutex = createMutex()
  let waiting = 0

  return {
    async compile(task) {
      if (waiting >= queueLimit) throw spent('waiting compilations', queueLimit)
      waiting++
      try {
        return await mutex.run(async () => {
          const data = { path: locate(task.version), task, bounds }
          return contractOf(await runThread(file, data, clock), data)
        })
      } finally {
        waiting--
      }
    },
  }
}

const spent = (what: string, limit: number) => new NetworkError('LIMIT_EXCEEDED', { what, limit })
const invalid = (field: string, problem: string) => new NetworkError('INVALID_PARAMS', { field, problem })

function locate(version: string): string {
  try {
    return createRequire(import.meta.url).resolve('solc')
  } catch (cause) {
    throw new NetworkError('UNSUPPORTED', { what: `compiling: ${advice(version)}` }, { cause })
  }
}

function contractOf(outcome: CompileOutcome, { task, bounds }: CompilerData): CompiledContract {
  switch (outcome.type) {
    case 'compiled':
      return outcome.contract
    case 'version': {
      const what = `compiling: solc ${outcome.installed} is installed. ${advice(task.version)}`
      throw new NetworkError('UNSUPPORTED', { what })
    }
    case 'errors':
      throw invalid('sources', `they do not compile: ${outcome.problem}`)
    case 'missing':
      throw invalid('contract', `the sources have no ${task.sourcePath}:${task.name}`)
    case 'memory':
      throw spent('the memory of a compilation in MB', bounds.memoryMb)
    case 'output':
      throw spent('the output of the compiler in characters', bounds.outputLimit)
  }
}

function runThread(file: URL, data: CompilerData, clock: Clock): Promise<CompileOutcome> {
  const { timeoutMs, heapMb } = data.bounds
  return new Promise((resolve, reject) => {
    const thread = new Worker(file, {
      name: 'compiler',
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      // The compiler prints when it fails; what it says is in its output.
      stdout: true,
      stderr: true,
    })
    thread.stdout.resume()
    thread.stderr.resume()
    const timer = clock.after(timeoutMs, () => {
      reject(spent('a compilation in milliseconds', timeoutMs))
      thread.terminate().catch(() => {})
    })
    thread.once('message', resolve)
    thread.once('error', (error: Error & { code?: unknown }) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? spent('the heap of a compilation in MB', heapMb) : error),
    )
    thread.once('exit', (code) => {
      timer.cancel()
      reject(new Error(`The compiler ended with code ${code}`))
    })
  })
}

function advice(version: string): string {
  const [release] = version.split('+')
  return `Run \`npm install solc@${release}\` where understudy is installed, or push the compiled contract with \`understudy push\` first`
}
