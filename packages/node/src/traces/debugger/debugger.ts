import type { TracedRun, Word } from '@understudy/evm'
import type { ChainEvents } from '../../chain/chainEvents.ts'
import type { CodeLines } from '../../contracts/codeLines.ts'
import type { ContractLibrary } from '../../contracts/contractLibrary.ts'
import type { KnownContracts } from '../../contracts/knownContracts.ts'
import type { StorageQuery } from '../../contracts/storageLayout/storageReader.ts'
import type { CallRequest } from '../../execution/execution.ts'
import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import { createKeyedMutex } from '../../shared/async/mutex.ts'
import { Shares } from '../../shared/budget/shares.ts'
import type { Clock, Timer } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Events } from '../../shared/events.ts'
import { yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { Database } from '../../storage/database.ts'
import type { LoadRunLines } from '../runs/runLines.ts'
import type { Traces } from '../traces.ts'
import { Checkpoints } from './checkpoints.ts'
import { type FileLines, linesOf } from './fileLines.ts'
import { indexRun } from './indexRun.ts'
import { type LocalVariables, levelOf, loadLocalVariables } from './localVariables.ts'
import { keptBytes, MachineReplay } from './machineReplay.ts'
import { type Arrival, type Move, moved } from './moves.ts'
import { type DebugOperation, loadOperations, loadPosition, type Position } from './position.ts'
import type { RunIndex } from './runIndex.ts'
import { openStorage, readStateVariables, type StateVariables } from './stateVariables.ts'

/** Sessions at a time on this node, and the memory of all in bytes; each key may have what it leaves free. */
const sessionLimit = 32
const memoryLimit = 256 * 1024 * 1024
/** An unused session ends after so many milliseconds. */
const idleMs = 10 * 60_000

export type OpenedSession = { id: string; steps: number; position: Position }

/**
 * Goes through the lines of a run, forwards and back. A session keeps which lines the run comes to; what the machine
 * holds at an operation is found by running the message again up to it. Sessions are in the memory of one node, until
 * they are closed or unused for ten minutes, or the network is reverted or reset.
 */
export type Debugger = {
  /** Begins at the first line. Throws `LIMIT_EXCEEDED`, and `INVALID_PARAMS` if no code runs. */
  open(subject: Word | CallRequest, block: BlockTag, key: string | undefined): Promise<OpenedSession>
  /** Throws `DEBUG_SESSION_NOT_FOUND`; the same for the others. */
  step(id: string, move: Move, isBack: boolean): Promise<Position>
  /**
   * The variables of a function of the stack, by its level from the innermost one (0, the default) or by its call, and the
   * state variables of its contract. With a path: the one at its end, which is a local one where both have the name.
   */
  variables(id: string, of: FunctionOf, query: StorageQuery): Promise<StateVariables & { locals: LocalVariables }>
  /** At most `count` operations of the run, from a number on. */
  operations(id: string, from: number, count: number): Promise<DebugOperation[]>
  /** The lines of the contracts that run. */
  lines(id: string): Promise<FileLines[]>
  /** False if there is no such session. */
  close(id: string): boolean
  /** Closes all: the network stops, or another one replaces it. */
  stop(): void
}

/** Of both, the level counts. */
export type FunctionOf = { call: number | undefined; level: number | undefined }

type Needs = {
  traces: Pick<Traces, 'runRepeatable'>
  loadLines: LoadRunLines
  abis: KnownContracts
  library: Pick<ContractLibrary, 'match' | 'loadStorageLayout'>
  database: Pick<Database, 'queries'>
  chainEvents: Pick<Events<ChainEvents>, 'on'>
  clock: Clock
  createId: () => string
}

type Session = {
  run: TracedRun
  /** By the index of the frame. */
  lines: ReadonlyMap<number, CodeLines>
  replay: MachineReplay
  index: RunIndex
  at: Arrival
  holder: string
  bytes: number
  timer: Timer
}

export function createDebugger(
  { apiKeys = [] }: { apiKeys?: readonly unknown[] },
  { traces, loadLines, abis, library, database, chainEvents, clock, createId }: Needs,
): Debugger {
  const sessions = new Map<string, Session>()
  const isShared = apiKeys.length > 1
  const slots = new Shares(sessionLimit, { isShared })
  const memory = new Shares(memoryLimit, { isShared })
  let isStopped = false
  const closeAll = () => {
    for (const id of sessions.keys()) close(id)
  }
  chainEvents.on('reverted', closeAll)

  function close(id: string): boolean {
    const session = sessions.get(id)
    if (!session) return false
    session.timer.cancel()
    slots.give(session.holder, 1)
    memory.give(session.holder, session.bytes)
    return sessions.delete(id)
  }

  const expiry = (id: string) => clock.after(idleMs, () => close(id))

  function use(id: string): Session {
    const session = sessions.get(id)
    if (!session) throw new NetworkError('DEBUG_SESSION_NOT_FOUND', { id: id.slice(0, 100) })
    session.timer.cancel()
    session.timer = expiry(id)
    return session
  }

  /** Requests of a session are answered one after the other: what the replay keeps is of one of them. */
  const turns = createKeyedMutex<string>()
  async function inTurn<T>(id: string, answer: (session: Session) => MaybePromise<T>): Promise<T> {
    use(id)
    return turns.run(id, async () => {
      await yieldToEventLoop()
      return answer(use(id))
    })
  }

  async function begin(subject: Word | CallRequest, block: BlockTag) {
    const run = await traces.runRepeatable(subject, block)
    const { frames } = run.result
    const lines = await loadLines(run, frames.keys())
    const checkpoints = new Checkpoints()
    const index = await indexRun(run, lines, checkpoints)
    if (index.steps === 0)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'subject',
        problem: 'runs no code, so there is nothing to debug',
      })
    return { run, index, lines, checkpoints }
  }

  /** The first line, or the first operation where no lines are known. */
  function firstOf(index: RunIndex): Arrival {
    const hasLocation = index.stop(0).location > 0
    const first = hasLocation ? 0 : moved(index, 0, { type: 'in' }, false)
    return first === 0 || first.reason === 'end' ? { step: 0, reason: 'start' } : first
  }

  return {
    async open(subject, block, key = 'everybody') {
      if (!slots.take(key, 1)) throw full('debug sessions in use', sessionLimit)
      let bytes = 0
      try {
        const { run, index, lines, checkpoints } = await begin(subject, block)
        const needed = index.bytes + bytesOf(lines) + checkpoints.bytes + keptBytes
        if (!memory.take(key, needed)) throw full('bytes of memory that debug sessions use', memoryLimit)
        bytes = needed
        const replay = new MachineReplay(run, index.steps, checkpoints)
        const at = firstOf(index)
        const position = await loadPosition(replay, index, at, abis)
        if (isStopped) throw new NetworkError('NETWORK_STOPPING', {})
        const id = createId()
        sessions.set(id, { run, lines, replay, index, at, holder: key, bytes, timer: expiry(id) })
        return { id, steps: index.steps, position }
      } catch (error) {
        slots.give(key, 1)
        memory.give(key, bytes)
        throw error
      }
    },
    step: (id, move, isBack) =>
      inTurn(id, (session) => {
        const { replay, index, at } = session
        session.at = moved(index, at.step, move, isBack)
        return loadPosition(replay, index, session.at, abis)
      }),
    variables: (id, { call, level }, query) =>
      inTurn(id, async ({ run, lines, replay, index, at: { step } }) => {
        if (call !== undefined && call >= index.frames.length)
          throw new NetworkError('INVALID_PARAMS', {
            field: 'call',
            problem: `expected at most ${index.frames.length - 1}, the last call of the run`,
          })
        const found = levelOf(index, step, { call, level })
        const storage = await openStorage(run, index, { step, call: found.frame }, { database, library })
        const where = { lines: lines.get(found.frame), replay, index, step, level: found, storage }
        const locals = await loadLocalVariables(where, query, abis)
        const isLocal = query.path !== undefined && locals.entries.length > 0
        return { ...(await readStateVariables(storage, isLocal ? undefined : query)), locals }
      }),
    operations: (id, from, count) => inTurn(id, ({ replay }) => loadOperations(replay, from, count)),
    lines: (id) => inTurn(id, ({ index, lines }) => linesOf(index, lines)),
    close,
    stop() {
      isStopped = true
      closeAll()
    },
  }
}

/** The memory of lines, in bytes, about. Frames that ran the same code share them. */
const bytesOf = (lines: ReadonlyMap<number, CodeLines>) =>
  [...new Set(lines.values())].reduce((sum, { bytes }) => sum + bytes, 0)

const full = (what: string, limit: number) =>
  new NetworkError('LIMIT_EXCEEDED', { what: `${what}; close one with dev_debugClose`, limit })
