import { randomBytes } from 'node:crypto'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import packaged from '@jitl/quickjs-wasmfile-release-sync'
import {
  type CustomizeVariantOptions,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { guestSource } from './guest.ts'
import { control, type GuestReply, type HostAnswer, type HostCall, kinds, layout, type Plain } from './layout.ts'

/** The thread of a sandbox: it runs tracers in QuickJS, one after another, and waits for the host in between. */

type Memory = { readonly buffer: ArrayBuffer }
/** As much of the global as is used here: its types are in the library of browsers only. */
declare const WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => Memory }

/** Memory of a tracer, in bytes. */
const tracerMemory = 64 * 1024 * 1024
const stackBytes = 256 * 1024
/** In pages of 64 KiB: what the engine begins with, and twice what a tracer may use. */
const memoryPages = { initial: 256, maximum: 2048 }
/** A call with fewer reads of the clock after its time did little: the machine was busy with something else. */
const fewClockReads = 10
/** Longest argument of a request to the host, in characters of hex: more than any code that can create a contract. */
const argumentLimit = 2 ** 20
/** Longest text of an exception. */
const textLimit = 1000

const { shared, port } = workerData as { shared: SharedArrayBuffer; port: MessagePort }
const turns = new Int32Array(shared, 0, control.bytes / 4)
const step = new Uint8Array(shared, control.bytes, layout.bytes)
const memory = new WebAssembly.Memory(memoryPages)
// Its types describe the CommonJS module; this imports the other one.
const variant = packaged as unknown as QuickJSSyncVariant
const quickJs = await newQuickJSWASMModuleFromVariant(
  newVariant(variant, { wasmMemory: memory } as CustomizeVariantOptions),
)
let seen = 0
let guest: Guest | undefined

type Guest = { call(name: string, args: string[], limitMs: number): GuestReply; copyStep(): void; close(): void }

function openGuest(): Guest {
  const runtime = quickJs.newRuntime()
  runtime.setMemoryLimit(tracerMemory)
  runtime.setMaxStackSize(stackBytes)
  let deadline = Number.POSITIVE_INFINITY
  let clockReads = 0
  let isLate = false
  runtime.setInterruptHandler(() => {
    isLate ||= performance.now() > deadline && ++clockReads > fewClockReads
    return isLate
  })
  const context = runtime.newContext()
  // The engine does not tell where a buffer is in its memory: its first content does.
  const content = new Uint8Array(randomBytes(layout.bytes))
  const buffer = context.newArrayBuffer(content.buffer)
  const stepAt = Buffer.from(memory.buffer).indexOf(content)
  const host = context.newFunction('host', (request, ...args) => {
    const plain = args.map((arg) => (context.typeof(arg) === 'number' ? context.getNumber(arg) : textOfArgument(arg)))
    send(kinds.request, { request: context.getNumber(request), args: plain })
    const answer = receive() as HostAnswer
    if ('failed' in answer) throw new Error(answer.failed)
    return handleOf(context, answer.value)
  })
  const make = context.unwrapResult(context.evalCode(guestSource, 'guest'))
  const functions = context.unwrapResult(context.callFunction(make, context.undefined, buffer, host))
  const known = new Map<string, QuickJSHandle>()

  function textOfArgument(arg: QuickJSHandle): string {
    const lengthOf = context.getProp(arg, 'length')
    const length = context.getNumber(lengthOf)
    lengthOf.dispose()
    if (length > argumentLimit) throw new Error(`an argument has more than ${argumentLimit} characters`)
    return context.getString(arg)
  }

  function functionOf(name: string): QuickJSHandle {
    const found = known.get(name) ?? context.getProp(functions, name)
    known.set(name, found)
    return found
  }

  return {
    call(name, args, limitMs) {
      deadline = performance.now() + limitMs
      clockReads = 0
      isLate = false
      const handles = args.map((arg) => context.newString(arg))
      const result = context.callFunction(functionOf(name), context.undefined, handles)
      for (const handle of handles) handle.dispose()
      const thrown = result.error ? context.dump(result.error) : undefined
      const type = result.error ? 'undefined' : context.typeof(result.value)
      const value =
        result.error || (type !== 'string' && type !== 'number')
          ? undefined
          : type === 'string'
            ? context.getString(result.value)
            : context.getNumber(result.value)
      const hasThrown = result.error !== undefined
      result.dispose()
      if (isLate) return { late: true }
      return hasThrown ? { thrown: textOf(thrown) } : { value }
    },
    copyStep: () => new Uint8Array(memory.buffer, stepAt, layout.bytes).set(step),
    close() {
      for (const handle of [...known.values(), functions, make, host, buffer]) handle.dispose()
      context.dispose()
      runtime.dispose()
    },
  }
}

function handleOf(context: QuickJSContext, value: Plain): QuickJSHandle {
  if (typeof value === 'string') return context.newString(value)
  if (typeof value === 'number') return context.newNumber(value)
  if (typeof value === 'boolean') return value ? context.true : context.false
  if (value === undefined) return context.undefined
  return context.newArrayBuffer(new Uint8Array(value).buffer)
}

function textOf(thrown: unknown): string {
  const { name, message } = (thrown ?? {}) as { name?: unknown; message?: unknown }
  if (typeof message !== 'string') return String(thrown).slice(0, textLimit)
  return (name === undefined || name === 'Error' ? message : `${String(name)}: ${message}`).slice(0, textLimit)
}

function send(kind: number, message?: unknown): void {
  if (kind !== kinds.plain) port.postMessage(message)
  turns[control.kind] = kind
  Atomics.add(turns, control.replies, 1)
  Atomics.notify(turns, control.replies)
}

/** Waits for the host's next message; `undefined` is a step. */
function receive(): unknown {
  while (Atomics.load(turns, control.calls) === seen) Atomics.wait(turns, control.calls, seen)
  seen = Atomics.load(turns, control.calls)
  return turns[control.kind] === kinds.plain ? undefined : receiveMessageOnPort(port)?.message
}

function answer(call: HostCall | undefined): void {
  if (call?.name === 'open') {
    guest?.close()
    guest = openGuest()
    send(kinds.plain)
    return
  }
  if (!call) guest?.copyStep()
  else if (call.name === 'failedStep' || call.name === 'fault') guest?.copyStep()
  const reply = guest?.call(call?.name ?? 'step', call?.args ?? [], call?.limitMs ?? stepLimitMs) ?? {
    value: undefined,
  }
  if ('value' in reply && reply.value === undefined) send(kinds.plain)
  else send(kinds.message, reply)
}

/** Milliseconds for a step. */
const stepLimitMs = 200

parentPort?.postMessage('ready')
for (;;) answer(receive() as HostCall | undefined)
