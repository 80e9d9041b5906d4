import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import { createMutex } from '../../shared/mutex.ts'

export type CompiledContract = {
  abi: unknown[]
  storageLayout?: unknown
  evm: { bytecode: CompiledCode; deployedBytecode: CompiledCode & { immutableReferences?: ImmutableReferences } }
}
type CompiledCode = {
  object: string
  sourceMap?: string
  linkReferences?: Record<string, Record<string, { start: number; length: number }[]>>
}
type ImmutableReferences = Record<string, { start: number; length: number }[]>

export type CompilerOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, CompiledContract>>
  sources?: Record<string, { id: number; ast?: unknown }>
}

/** The Solidity compiler, if the `solc` package is installed. */
export type Compiler = {
  /**
   * Compiles standard JSON, one job at a time. Throws `UNSUPPORTED` without a compiler of this version, and
   * `LIMIT_EXCEEDED`.
   */
  compile(input: object, version: string): Promise<CompilerOutput>
}

/** Maximum number of waiting compilations. */
const queueLimit = 20
const timeoutMs = 120_000
/** Of its JavaScript heap, and of the memory of the compiler itself, in MB. */
const heapMb = 512
const memoryMb = 1024
/** Longest output, in characters: it is parsed in the main thread. */
const outputLimit = 16 * 1024 * 1024

/** Compiles in a worker thread, because it takes seconds. The worker loads the package on first use. */
const workerCode = `
const { parentPort, workerData: { path, input, version } } = require('node:worker_threads')
// The compiler is WebAssembly, whose memory is not of the heap.
const { grow } = WebAssembly.Memory.prototype
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > ${memoryMb} * 2 ** 20) throw new RangeError('out of memory')
  return grow.call(this, pages)
}
const solc = require(path)
const installed = solc.version()
const same = installed === version || (installed.startsWith(version) && '+.'.includes(installed[version.length]))
parentPort.postMessage({ installed, output: same ? solc.compile(input) : undefined })
`

export function createCompiler({ clock }: { clock: Clock }): Compiler {
  const mutex = createMutex()
  let waiting = 0

  return {
    async compile(input, version) {
      if (waiting >= queueLimit)
        throw new NetworkError('LIMIT_EXCEEDED', { what: 'waiting compilations', limit: queueLimit })
      waiting++
      try {
        return await mutex.run(() => compileInWorker(locate(version), JSON.stringify(input), version, clock))
      } finally {
        waiting--
      }
    },
  }
}

function locate(version: string): string {
  try {
    return createRequire(import.meta.url).resolve('solc')
  } catch (cause) {
    throw new NetworkError('UNSUPPORTED', { what: `compiling: ${advice(version)}` }, { cause })
  }
}

function compileInWorker(path: string, input: string, version: string, clock: Clock): Promise<CompilerOutput> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerCode, {
      eval: true,
      workerData: { path, input, version },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    const timer = clock.after(timeoutMs, () => {
      reject(new NetworkError('LIMIT_EXCEEDED', { what: 'a compilation in milliseconds', limit: timeoutMs }))
      worker.terminate().catch(() => {})
    })
    worker.once('message', ({ installed, output }: { installed: string; output: string | undefined }) => {
      if (output === undefined)
        reject(
          new NetworkError('UNSUPPORTED', { what: `compiling: solc ${installed} is installed. ${advice(version)}` }),
        )
      else if (output.length > outputLimit)
        reject(
          new NetworkError('LIMIT_EXCEEDED', { what: 'the output of the compiler in characters', limit: outputLimit }),
        )
      else resolve(JSON.parse(output))
    })
    worker.once('error', (error: Error & { code?: unknown }) =>
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new NetworkError('LIMIT_EXCEEDED', { what: 'the memory of a compilation in MB', limit: heapMb })
          : error,
      ),
    )
    worker.once('exit', (code) => {
      timer.cancel()
      reject(new Error(`The compiler ended with code ${code}`))
    })
  })
}

function advice(version: string): string {
  const [release] = version.split('+')
  return `Run \`npm install solc@${release}\` where understudy is installed, or push the compiled contract with \`understudy push\` first`
}
