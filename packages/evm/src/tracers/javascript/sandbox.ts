import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type {
  CustomizeVariantOptions,
  QuickJSContext,
  QuickJSHandle,
  QuickJSSyncVariant,
  QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { type TracedRun, TracerCodeError } from '../tracer.ts'
import { guestSource } from './guest.ts'
import { layout } from './layout.ts'

type Memory = { readonly buffer: ArrayBuffer }
/** As much of the global as is used here: its types are in the library of browsers only. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>
  Memory: new (pages: { initial: number; maximum: number }) => Memory
}

/** Memory of a sandbox, in bytes. */
export const sandboxMemory = 64 * 1024 * 1024
/** Longest computing of one call of a tracer's function, in milliseconds: other clients wait for it. */
export const sandboxCallMs = 200
/** A call with fewer looks at the clock after its time did little: the machine was busy with something else. */
const fewLooks = 10
const stallMs = 1000
/** Sandboxes that are open at once; more wait. */
export const sandboxLimit = 4
const stackBytes = 256 * 1024
/** In pages of 64 KiB: what the engine begins with, and twice what a tracer may use. */
const memoryPages = { initial: 256, maximum: 2048 }

/** What the guest's functions may return to the host, and be returned. */
export type Plain = string | number | boolean | Uint8Array | undefined

/** A tracer in an engine of its own, which reaches nothing of the host but `answer`. */
export type Sandbox = {
  /** What both share; see `layout`. It moves when the memory grows. */
  shared(): DataView
  /** Calls a function of the guest. Throws `TracerCodeError`. */
  call(name: string, ...args: string[]): Plain
  close(): void
}

type Options = {
  /** Answers what the guest asks; it may throw. */
  answer(request: number, args: readonly (string | number)[]): Plain
  /** The computing time of the trace. */
  time: TracedRun['time']
}

type Loaded = {
  module: object
  core: typeof import('quickjs-emscripten-core')
  variant: QuickJSSyncVariant
}
let loading: Promise<Loaded> | undefined
let open = 0
const waiting: (() => void)[] = []

/** The engine is loaded with the first tracer. */
async function load(): Promise<Loaded> {
  const loadPackage = createRequire(import.meta.url)
  const core = loadPackage('quickjs-emscripten-core') as Loaded['core']
  const found = loadPackage('@jitl/quickjs-wasmfile-release-sync') as { default: QuickJSSyncVariant }
  const bytes = await readFile(loadPackage.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
  return { module: await WebAssembly.compile(bytes), core, variant: found.default }
}

/** Waits for its turn. */
export async function openSandbox(options: Options): Promise<Sandbox> {
  if (open >= sandboxLimit) await new Promise<void>((begin) => waiting.push(begin))
  else open++
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else open--
  }
  try {
    loading ??= load()
    const { module, core, variant } = await loading
    const memory = new WebAssembly.Memory(memoryPages)
    const own = core.newVariant(variant, { wasmModule: module, wasmMemory: memory } as CustomizeVariantOptions)
    return createSandbox(await core.newQuickJSWASMModuleFromVariant(own), memory, options, leave)
  } catch (error) {
    loading = undefined
    leave()
    throw error
  }
}

function createSandbox(
  engine: QuickJSWASMModule,
  memory: Memory,
  { answer, time }: Options,
  leave: () => void,
): Sandbox {
  const runtime = engine.newRuntime()
  runtime.setMemoryLimit(sandboxMemory)
  runtime.setMaxStackSize(stackBytes)
  let deadline = Number.POSITIVE_INFINITY
  let isLate = false
  let looks = 0
  runtime.setInterruptHandler(() => {
    const late = performance.now() - deadline
    isLate ||= late > 0 && (++looks > fewLooks || late > stallMs)
    return isLate
  })
  const context = runtime.newContext()
  // The engine does not tell where a buffer is in its memory: its first content does.
  const content = new Uint8Array(randomBytes(layout.bytes))
  const buffer = context.newArrayBuffer(content.buffer)
  const sharedAt = Buffer.from(memory.buffer).indexOf(content)
  const host = context.newFunction('host', (request, ...args) => {
    const plain = args.map((arg) =>
      context.typeof(arg) === 'number' ? context.getNumber(arg) : context.getString(arg),
    )
    return toGuest(context, answer(context.getNumber(request), plain))
  })
  const functions = new Map<string, QuickJSHandle>()
  const make = context.unwrapResult(context.evalCode(guestSource, 'guest'))
  const guest = context.unwrapResult(context.callFunction(make, context.undefined, buffer, host))

  function functionOf(name: string): QuickJSHandle {
    const known = functions.get(name) ?? context.getProp(guest, name)
    functions.set(name, known)
    return known
  }

  return {
    shared: () => new DataView(memory.buffer, sharedAt, layout.bytes),
    call(name, ...args) {
      const left = time?.leftMs ?? Number.POSITIVE_INFINITY
      deadline = performance.now() + Math.min(sandboxCallMs, left)
      isLate = false
      looks = 0
      const handles = args.map((arg) => context.newString(arg))
      const result = context.callFunction(functionOf(name), context.undefined, handles)
      for (const handle of handles) handle.dispose()
      if (isLate || result.error) {
        const thrown = result.error ? context.dump(result.error) : undefined
        result.dispose()
        const late = left < sandboxCallMs ? 'execution timeout' : `it computed for more than ${sandboxCallMs} ms`
        throw new TracerCodeError(isLate ? late : messageOf(thrown))
      }
      const value = result.value
      const type = context.typeof(value)
      const plain =
        type === 'string' ? context.getString(value) : type === 'number' ? context.getNumber(value) : undefined
      value.dispose()
      return plain
    },
    close() {
      // The engine's whole memory is dropped with it.
      leave()
    },
  }
}

function toGuest(context: QuickJSContext, value: Plain): QuickJSHandle {
  if (typeof value === 'string') return context.newString(value)
  if (typeof value === 'number') return context.newNumber(value)
  if (typeof value === 'boolean') return value ? context.true : context.false
  if (value === undefined) return context.undefined
  return context.newArrayBuffer(new Uint8Array(value).buffer)
}

function messageOf(thrown: unknown): string {
  const { name, message } = (thrown ?? {}) as { name?: unknown; message?: unknown }
  if (typeof message !== 'string') return String(thrown)
  return name === undefined || name === 'Error' ? message : `${String(name)}: ${message}`
}
