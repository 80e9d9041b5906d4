import { once } from 'node:events'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { type TracedRun, TracerCodeError } from '../tracer.ts'
import {
  control,
  type GuestReply,
  type GuestRequest,
  type HostAnswer,
  type HostCall,
  kinds,
  layout,
  type Plain,
} from './layout.ts'

/** Longest computing of one call of a tracer's function, in milliseconds: other clients wait for it. */
const callMs = 200
/** After it, the thread is ended: it does something that QuickJS does not interrupt, or the machine is stuck. */
const hardMs = 1500
/** Sandboxes that are open at once; more wait. */
const sandboxLimit = 4
/** Longest result, in characters of JSON. */
const resultLimit = 32 * 1024 * 1024

/** A tracer in a thread and an engine of its own, which reaches nothing of the host but `answer`. */
export type Sandbox = {
  /** What the next step is left in; see `layout`. */
  readonly shared: DataView
  /** Calls `step`. Throws `TracerCodeError`. */
  step(): void
  /** Calls another function of the guest. Throws `TracerCodeError`. */
  call(name: string, ...args: string[]): Plain
  close(): void
}

type Options = {
  /** Answers what the guest asks; it may throw. */
  answer(request: number, args: readonly (string | number)[]): Plain
  /** The computing time of the trace. */
  time: TracedRun['time']
}

/** A thread that is free, or runs one tracer. */
type Thread = { worker: Worker; port: MessagePort; shared: SharedArrayBuffer; turns: Int32Array; seen: number }

/** One is kept for the next tracer. */
let kept: Thread | undefined
let open = 0
const waiting: (() => void)[] = []

/** Waits for its turn. What runs JavaScript is loaded in a thread of its own. */
export async function openSandbox(options: Options): Promise<Sandbox> {
  if (open >= sandboxLimit) await new Promise<void>((begin) => waiting.push(begin))
  else open++
  const free = kept
  kept = undefined
  try {
    return createSandbox(free ?? (await startThread()), options)
  } catch (error) {
    leave()
    throw error
  }
}

function leave(): void {
  const next = waiting.shift()
  if (next) next()
  else open--
}

async function startThread(): Promise<Thread> {
  const shared = new SharedArrayBuffer(control.bytes + layout.bytes)
  const { port1, port2 } = new MessageChannel()
  // Built files: threads run JavaScript.
  const index = pathToFileURL(createRequire(import.meta.url).resolve('@understudy/evm'))
  const worker = new Worker(new URL('tracers/javascript/guestWorker.js', index), {
    workerData: { shared, port: port2 },
    transferList: [port2],
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  await once(worker, 'message')
  // One that has no memory left ends. Its call ends as one that does not return.
  worker.on('error', () => {})
  worker.unref()
  port1.unref()
  return { worker, port: port1, shared, turns: new Int32Array(shared, 0, control.bytes / 4), seen: 0 }
}

function createSandbox(thread: Thread, { answer, time }: Options): Sandbox {
  const { turns, port } = thread
  let isClosed = false
  /** A thread whose code did not end, or filled its memory, is not used again. */
  let hasFailed = false

  function send(kind: number, message?: unknown): void {
    if (kind !== kinds.plain) port.postMessage(message)
    turns[control.kind] = kind
    Atomics.add(turns, control.calls, 1)
    Atomics.notify(turns, control.calls)
  }

  /** Waits until the call has ended, and answers in between. */
  function finish(left: number): Plain {
    const end = performance.now() + hardMs
    for (;;) {
      // A notification can come after the reply that it belongs to was seen: only a new count is a reply.
      while (Atomics.load(turns, control.replies) === thread.seen) {
        const rest = Math.max(0, end - performance.now())
        if (Atomics.wait(turns, control.replies, thread.seen, rest) === 'timed-out') throw late(left)
      }
      thread.seen = Atomics.load(turns, control.replies)
      const kind = turns[control.kind]
      if (kind === kinds.plain) return undefined
      const message: unknown = receiveMessageOnPort(port)?.message
      if (kind === kinds.request) {
        send(kinds.message, answered(message as GuestRequest))
        continue
      }
      const reply = message as GuestReply
      if ('thrown' in reply) {
        hasFailed = reply.thrown.includes('out of memory')
        throw new TracerCodeError(reply.thrown)
      }
      if ('late' in reply) throw late(left)
      if (typeof reply.value === 'string' && reply.value.length > resultLimit)
        throw new TracerCodeError(`its result has more than ${resultLimit} characters`)
      return reply.value
    }
  }

  function answered({ request, args }: GuestRequest): HostAnswer {
    try {
      return { value: answer(request, args) }
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) }
    }
  }

  function run(kind: number, message?: HostCall, left = time?.leftMs ?? Number.POSITIVE_INFINITY): Plain {
    hasFailed = true
    send(kind, message)
    const value = finish(left)
    hasFailed = false
    return value
  }

  function call(name: string, args: string[]): Plain {
    const left = time?.leftMs ?? Number.POSITIVE_INFINITY
    return run(kinds.message, { name, args, limitMs: Math.min(callMs, left) }, left)
  }

  const end = () => {
    port.close()
    void thread.worker.terminate()
  }
  try {
    call('open', [])
  } catch (error) {
    end()
    throw error
  }
  return {
    shared: new DataView(thread.shared, control.bytes, layout.bytes),
    step: () => void run(kinds.plain),
    call: (name, ...args) => call(name, args),
    close() {
      if (isClosed) return
      isClosed = true
      if (hasFailed || kept) end()
      else kept = thread
      leave()
    },
  }
}

function late(left: number): TracerCodeError {
  return new TracerCodeError(left < callMs ? 'execution timeout' : `it computed for more than ${callMs} ms`)
}
