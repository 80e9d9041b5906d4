import { MessageChannel, Worker } from 'node:worker_threads'
import {
  type BlockContext,
  compileEngine,
  decodeDone,
  type Message,
  type OverrideTable,
  type RunResult,
  type StateDiff,
  type StateView,
} from '@understudy/evm'
import type { WantedOutput, WantedRun } from '../execution/otherThreads.ts'
import type { CopyableTable } from '../overrides/overrideIndex.ts'
import { currentBudget, type RequestBudget, withBudget, withoutBudget } from '../shared/budget/requestBudget.ts'
import type { Output } from '../shared/engine.ts'
import { type ErrorDetails, type ErrorKind, NetworkError } from '../shared/errors.ts'
import { JsonText } from '../shared/json/jsonText.ts'
import type { LoadingView } from '../state/view.ts'
import type { FromThread, Keys, NowRequest, RunOutcome, ThreadData, ToThread, Values } from './messages.ts'
import { sentBlock } from './sentBlock.ts'
import { valuesOf } from './values.ts'

/** The thread of a worker ended while it ran something. */
export class WorkerEnded extends Error {
  /** Whether it had no memory left. */
  readonly isOutOfMemory: boolean

  constructor(cause: unknown) {
    super('A worker thread ended', { cause })
    this.isOutOfMemory = (cause as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
  }
}

type Run = {
  wanted: WantedRun
  budget: RequestBudget | undefined
  resolve(result: RunResult): void
  reject(error: unknown): void
}

/** Numbers of states and of clients, the same for all threads. */
export type Numbers = { view(identity: object): number; turn(turn: WantedRun['turn']): number | string }

type Options = {
  file: URL
  /** Maximum size of its JavaScript heap. */
  heapMb: number
  numbers: Numbers
  onEnd(): void
}

/** A thread that runs messages, as the main thread sees it. */
export class WorkerThread {
  readonly #thread: Worker
  readonly #numbers: Numbers
  readonly #answers = new SharedArrayBuffer(4)
  readonly #runs = new Map<number, Run>()
  readonly #outputs = new Map<number, { view: StateView; resolve(output: Output): void }>()
  /** The block that its calls run in. */
  #block: BlockContext | undefined
  /** States on which it has run. */
  readonly #views = new Set<number>()
  /** Changes of its states that are sent with its next run: most transactions are sealed while it has none. */
  #unsent: ToThread[] = []
  #overrides: OverrideTable | undefined
  #lastId = 0
  #failure: unknown
  #hasEnded = false
  #isPinged = false

  constructor({ file, heapMb, numbers, onEnd }: Options) {
    this.#numbers = numbers
    const { port1, port2 } = new MessageChannel()
    const workerData: ThreadData = { modules: compileEngine(), answers: this.#answers, nowPort: port2 }
    // It belongs to the process, not to the request that needs it first.
    this.#thread = withoutBudget(
      () =>
        new Worker(file, {
          name: 'runs',
          workerData,
          transferList: [port2],
          resourceLimits: { maxOldGenerationSizeMb: heapMb },
        }),
    )
    this.#thread.unref()
    port1.on('message', (request: NowRequest) => this.#answerNow(request, (values) => port1.postMessage(values)))
    port1.unref()
    this.#thread.on('message', (message: FromThread) => this.#receive(message))
    this.#thread.on('error', (error) => {
      this.#failure ??= error
    })
    this.#thread.on('exit', () => {
      port1.close()
      this.#hasEnded = true
      onEnd()
      for (const { reject } of this.#runs.values()) reject(new WorkerEnded(this.#failure))
      this.#runs.clear()
      for (const { resolve } of this.#outputs.values()) resolve(undefined)
      this.#outputs.clear()
    })
  }

  get runs(): number {
    return this.#runs.size
  }

  /** How many calls it has to run of which only the output is wanted. */
  get outputs(): number {
    return this.#outputs.size
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** How many runs and calls it was given. */
  get orders(): number {
    return this.#lastId
  }

  /** Whether it has run on this state. */
  knows(view: number): boolean {
    return this.#views.has(view)
  }

  /** Throws `WorkerEnded` if the thread ends first. */
  run(wanted: WantedRun): Promise<RunResult> {
    const { message, block, view, options, turn, signal } = wanted
    const { kind, capsGas, preimages, overrides, coverage, time, trace } = options
    const budget = currentBudget()
    const id = ++this.#lastId
    const viewNumber = this.#sendState(view, overrides)
    this.#send({
      type: 'run',
      request: {
        id,
        turn: this.#numbers.turn(turn),
        leftMs: time?.leftMs ?? Number.MAX_SAFE_INTEGER,
        view: viewNumber,
        values: valuesOf(view, keysOf(message, block)),
        message: copied(message),
        block: sentBlock(block),
        options: { kind, ...(capsGas && { capsGas }), ...(preimages && { preimages }) },
        coverage: coverage?.session,
        hasOverrides: overrides !== undefined,
        trace: trace && {
          recipe: trace.recipe,
          budgetBytes: trace.budget.bytes,
          transactionPosition: trace.transactionPosition,
          answerBytes: budget?.bytes.left ?? Number.MAX_SAFE_INTEGER,
        },
      },
    })
    const cancel = () => this.#send({ type: 'cancel', id })
    signal?.addEventListener('abort', cancel, { once: true })
    return new Promise<RunResult>((resolve, reject) => {
      this.#runs.set(id, { wanted, budget, resolve, reject })
    }).finally(() => signal?.removeEventListener('abort', cancel))
  }

  /** What a call returns, as `OtherThreads.output`. */
  output({ message, block, view, overrides, ms }: WantedOutput): Promise<Output> {
    const id = ++this.#lastId
    const viewNumber = this.#sendState(view, overrides)
    if (block !== this.#block) {
      this.#block = block
      this.#send({ type: 'block', block: sentBlock(block) })
    }
    const hasOverrides = overrides !== undefined
    this.#send({ type: 'output', request: { id, view: viewNumber, message: copied(message), hasOverrides, ms } })
    return new Promise((resolve) => this.#outputs.set(id, { view, resolve }))
  }

  /** Its engines keep what they know of `from`, as a state that is `to` now. */
  advance(from: number, to: number, diff: StateDiff): void {
    if (!this.#views.has(from)) return
    this.#noteView(to)
    this.#unsent.push({ type: 'advance', from, to, diff })
    if (!this.isIdle) this.#sendChanges()
    if (this.#unsent.length <= unsentLimit) return
    // It loads again what it needs.
    this.#unsent = []
    this.#views.clear()
  }

  /** Sends what changed since the last run, and the overrides that apply. Returns the number of the state. */
  #sendState(view: StateView, overrides: OverrideTable | undefined): number {
    const number = this.#numbers.view(view.identity)
    this.#noteView(number)
    this.#sendChanges()
    if (overrides && overrides !== this.#overrides) {
      this.#overrides = overrides
      this.#send({ type: 'overrides', replacements: (overrides as CopyableTable).replacements() })
    }
    return number
  }

  #sendChanges(): void {
    for (const change of this.#unsent) this.#send(change)
    this.#unsent = []
  }

  get isIdle(): boolean {
    return this.#runs.size + this.#outputs.size === 0
  }

  /** Whether it has answered since the last call, or has nothing to do. */
  isAlive(): boolean {
    const hasAnswered = !this.#isPinged
    this.#isPinged = !this.isIdle
    if (this.#isPinged) this.#send({ type: 'ping' })
    return hasAnswered || !this.#isPinged
  }

  /** Its runs are rejected with `WorkerEnded`. */
  async end(): Promise<void> {
    await this.#thread.terminate()
  }

  #send(message: ToThread): void {
    if (!this.#hasEnded) this.#thread.postMessage(message)
  }

  #noteView(view: number): void {
    this.#views.delete(view)
    this.#views.add(view)
    for (const oldest of this.#views) {
      if (this.#views.size <= viewLimit) break
      this.#views.delete(oldest)
    }
  }

  #receive(message: FromThread): void {
    this.#isPinged = false
    if (message.type === 'pong') return
    if (message.type === 'output') {
      this.#outputs.get(message.id)?.resolve(message.output)
      this.#outputs.delete(message.id)
      return
    }
    const run = this.#runs.get(message.id)
    if (!run) return
    switch (message.type) {
      case 'need':
        this.#answer(message.id, run, message.keys)
        break
      case 'load':
        void this.#load(message.id, run, message.keys)
        break
      case 'ended':
        this.#runs.delete(message.id)
        try {
          run.wanted.options.time?.spend(message.spentMs)
          run.resolve(resultOf(message.outcome, run))
        } catch (error) {
          run.reject(error)
        }
    }
  }

  #answer(id: number, run: Run, keys: Keys): void {
    try {
      this.#send({ type: 'values', id, values: valuesOf(run.wanted.view, keys) })
    } catch (error) {
      this.#refuse(id, run, error)
    }
  }

  #refuse(id: number, run: Run, error: unknown): void {
    this.#runs.delete(id)
    run.reject(error)
    this.#send({ type: 'values', id, values: undefined })
  }

  async #load(id: number, run: Run, keys: Keys): Promise<void> {
    const view = run.wanted.view as LoadingView
    const load = () => view.load({ accounts: [], codes: [], slots: [], blockHashes: [], ...keys })
    try {
      await (run.budget ? withBudget(run.budget, load) : load())
      this.#send({ type: 'values', id, values: valuesOf(view, keys) })
    } catch (error) {
      this.#refuse(id, run, error)
    }
  }

  #answerNow({ id, keys }: NowRequest, answer: (values: Values) => void): void {
    const run = this.#runs.get(id)
    let values = valuesOf(undefined, keys)
    try {
      values = valuesOf(run?.wanted.view ?? this.#outputs.get(id)?.view, keys)
    } catch (error) {
      this.#runs.delete(id)
      run?.reject(error)
    }
    answer(values)
    const answers = new Int32Array(this.#answers)
    Atomics.add(answers, 0, 1)
    Atomics.notify(answers, 0)
  }
}

/** How many states of a thread are remembered; it remembers fewer itself. */
const viewLimit = 32
/** How many changes wait for the next run, before the thread has to forget the states that they change. */
const unsentLimit = 256

/** What every run of a message reads. */
function keysOf({ from, to }: Message, { coinbase }: BlockContext): Keys {
  const called = to === undefined ? [] : [to]
  return { accounts: [from, coinbase, ...called], codes: called }
}

/** A view of a large buffer would be sent with all of it. */
function copied(message: Message): Message {
  return { ...message, data: new Uint8Array(message.data) }
}

function resultOf(outcome: RunOutcome, { wanted, budget }: Run): RunResult {
  const { message, options, signal } = wanted
  switch (outcome.type) {
    case 'done':
      if (options.trace && outcome.trace) {
        const { json, budgetBytes } = outcome.trace
        options.trace.json = new JsonText(Buffer.from(json.buffer, json.byteOffset, json.length))
        options.trace.budget.bytes = budgetBytes
      }
      for (const { session, reached } of outcome.reached)
        options.coverage?.add(session, { ...reached, code: () => reached.code })
      return decodeDone(outcome.done, message.data)
    case 'missing':
    case 'rejected':
      return outcome
    case 'cancelled':
      throw signal?.reason ?? new NetworkError('REQUEST_CANCELLED', {})
    case 'timeout': {
      const { time } = options
      // It was measured there, with less than was left.
      time?.spend(Math.max(0, time.leftMs))
      time?.requireLeft()
      throw new Error('A run without a time limit ended at its limit')
    }
    case 'tooLarge':
      budget?.bytes.expect(outcome.bytes)
      throw new NetworkError('ANSWER_TOO_LARGE', { limit: budget?.bytes.left ?? outcome.bytes })
    case 'refused':
      throw new NetworkError(outcome.kind as ErrorKind, outcome.details as ErrorDetails<ErrorKind>, {
        data: outcome.data,
      })
    case 'failed':
      throw new Error('A run failed in a worker thread', { cause: outcome.error })
  }
}
