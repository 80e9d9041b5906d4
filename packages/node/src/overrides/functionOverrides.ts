import type { Address, OverrideTable } from '@understudy/evm'
import { encodeValues } from '../ethereum/abi/encodeValues.ts'
import { parseFunctionAbi } from '../ethereum/abi/functionAbi.ts'
import { createMutex } from '../shared/async/mutex.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import { createEvents, type Events } from '../shared/events.ts'
import { hexFromBytes } from '../shared/hex.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database, Queries } from '../storage/database.ts'
import {
  addFunctionOverride,
  type FunctionOverrideRecord,
  loadFunctionOverrides,
  removeFunctionOverride,
  saveFunctionOverride,
} from '../storage/records/state/functionOverrides.ts'
import { beginOverrideSpan, endOverrideSpan } from '../storage/records/state/overrideSpans.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import { createPastOverrides, OverrideIndex } from './overrideIndex.ts'

/** A new function override; without `inputParams`, it matches any inputs. */
export type FunctionOverride = Readonly<
  Pick<
    FunctionOverrideRecord,
    'id' | 'address' | 'functionAbi' | 'inputParams' | 'returnValues' | 'enabled' | 'createdAt'
  >
>

export type NewFunctionOverride = {
  address: Address
  /** A JSON fragment (a string or an object), or a human-readable signature. */
  functionAbi: unknown
  /** `undefined` and an empty list match any inputs. */
  inputParams: readonly string[] | undefined
  returnValues: readonly string[]
}

/** Each change is durable when it resolves, and applies to the next execution. */
export type FunctionOverrides = {
  readonly events: Events<{ changed: undefined }>
  /** The enabled overrides for the engine: the same object until something changes; `undefined` if there are none. */
  table(): OverrideTable | undefined
  /** Like `table`, but as of the change `seq`. */
  tableAt(seq: number): Promise<OverrideTable | undefined>
  /** Newest first. */
  list(address?: Address): FunctionOverride[]
  /** Throws `OVERRIDE_EXISTS`, `LIMIT_EXCEEDED`, or `INVALID_PARAMS` if values do not match the function. */
  add(input: NewFunctionOverride): Promise<FunctionOverride>
  /** Replaces the return values. Throws `OVERRIDE_NOT_FOUND`, like the three methods below. */
  update(id: string, returnValues: readonly string[]): Promise<FunctionOverride>
  enable(id: string): Promise<FunctionOverride>
  disable(id: string): Promise<FunctionOverride>
  remove(id: string): Promise<void>
  /** Loads what another node stored. */
  refresh(notice: ChangeNotice): Promise<void>
}

/**
 * Maximum size of return data in bytes. The engine has room for 32 MiB, but copying even a megabyte into every call is
 * slow.
 */
const outputLimit = 1_048_576
/** Maximum number of overrides. */
const overrideLimit = 100_000

type Needs = {
  database: Database
  /** Stores a change between two blocks, with its own number, and calls `then` before the next block. */
  mark(save: (queries: Queries, seq: number) => Promise<void>, then: () => void): Promise<void>
  clock: Clock
  logger: Logger
  createId: () => string
}

const keyOf = ({ address, selector, inputs }: Pick<FunctionOverrideRecord, 'address' | 'selector' | 'inputs'>) =>
  `${address}${selector}${inputs ? hexFromBytes(inputs) : ''}`

/** The overrides in memory. */
class OpenOverrides {
  readonly #index = new OverrideIndex()
  /** In the order in which they were added. */
  readonly #byId = new Map<string, FunctionOverrideRecord>()
  readonly #idByInputs = new Map<string, string>()

  get size(): number {
    return this.#byId.size
  }

  /** The enabled ones. */
  get table(): OverrideTable | undefined {
    return this.#index.table
  }

  list(): FunctionOverrideRecord[] {
    return [...this.#byId.values()]
  }

  /** Throws `OVERRIDE_NOT_FOUND`. */
  require(id: string): FunctionOverrideRecord {
    const record = this.#byId.get(id)
    if (!record) throw new NetworkError('OVERRIDE_NOT_FOUND', { id })
    return record
  }

  /** The id of the one that matches the same inputs. */
  sameAs(record: FunctionOverrideRecord): string | undefined {
    return this.#idByInputs.get(keyOf(record))
  }

  keep(record: FunctionOverrideRecord): void {
    this.#byId.set(record.id, record)
    this.#idByInputs.set(keyOf(record), record.id)
    if (record.enabled) this.#index.set(record)
    else this.#index.delete(record)
  }

  forget(record: FunctionOverrideRecord): void {
    this.#byId.delete(record.id)
    this.#idByInputs.delete(keyOf(record))
    this.#index.delete(record)
  }
}

/** Opens the stored overrides. */
export async function createFunctionOverrides({
  database,
  mark,
  clock,
  logger,
  createId,
}: Needs): Promise<FunctionOverrides> {
  const { queries } = database
  const events: FunctionOverrides['events'] = createEvents((error) => logger.error({ err: error }, 'A listener failed'))
  const mutex = createMutex()
  const open = new OpenOverrides()

  /** Stores a change, with the enabled overrides before and after it, and publishes it. */
  const store = (
    before: FunctionOverrideRecord | undefined,
    after: FunctionOverrideRecord | undefined,
    save: (queries: Queries) => Promise<void>,
    show: () => void,
  ) =>
    mark(async (transaction, seq) => {
      await save(transaction)
      if (before?.enabled) await endOverrideSpan(transaction, seq, before)
      if (after?.enabled) await beginOverrideSpan(transaction, seq, after)
    }, show).then(() => events.emit('changed', undefined))

  const change = (id: string, changesOf: (record: FunctionOverrideRecord) => Partial<FunctionOverrideRecord>) =>
    mutex.run(async () => {
      const before = open.require(id)
      const after = { ...before, ...changesOf(before) }
      await store(
        before,
        after,
        (transaction) => saveFunctionOverride(transaction, after),
        () => open.keep(after),
      )
      return after
    })

  for (const record of await loadFunctionOverrides(queries)) open.keep(record)

  return {
    events,
    table: () => open.table,
    tableAt: createPastOverrides(queries),
    list: (address) =>
      open
        .list()
        .filter((record) => address === undefined || record.address === address)
        .reverse(),

    add: ({ address, functionAbi, inputParams, returnValues }) =>
      mutex.run(async () => {
        const { fragment, selector, json } = parseFunctionAbi(functionAbi)
        const params = inputParams?.length ? [...inputParams] : undefined
        const record: FunctionOverrideRecord = {
          id: createId(),
          address,
          selector,
          inputs: params && encodeValues('inputParams', fragment.inputs, params),
          output: encodeOutput(fragment.outputs, returnValues),
          enabled: true,
          functionAbi: json,
          inputParams: params,
          returnValues: [...returnValues],
          createdAt: clock.now(),
        }
        const existing = open.sameAs(record)
        if (existing !== undefined) throw new NetworkError('OVERRIDE_EXISTS', { id: existing, selector, address })
        if (open.size >= overrideLimit)
          throw new NetworkError('LIMIT_EXCEEDED', {
            what: 'no more functions can be overridden',
            limit: overrideLimit,
          })
        await store(
          undefined,
          record,
          (transaction) => addFunctionOverride(transaction, record),
          () => open.keep(record),
        )
        return record
      }),
    update: (id, returnValues) =>
      change(id, ({ functionAbi }) => ({
        returnValues: [...returnValues],
        output: encodeOutput(parseFunctionAbi(functionAbi).fragment.outputs, returnValues),
      })),
    enable: (id) => change(id, () => ({ enabled: true })),
    disable: (id) => change(id, () => ({ enabled: false })),
    remove: (id) =>
      mutex.run(async () => {
        const record = open.require(id)
        await store(
          record,
          undefined,
          (transaction) => removeFunctionOverride(transaction, id),
          () => open.forget(record),
        )
      }),
    refresh: ({ queries, isChanged }) =>
      mutex.run(async () => {
        if (!isChanged('function_overrides')) return
        const stored = await loadFunctionOverrides(queries)
        for (const record of open.list()) open.forget(record)
        for (const record of stored) open.keep(record)
        events.emit('changed', undefined)
      }),
  }
}

function encodeOutput(outputs: Parameters<typeof encodeValues>[1], returnValues: readonly string[]): Uint8Array {
  const output = encodeValues('returnValues', outputs, returnValues)
  if (output.length > outputLimit)
    throw new NetworkError('LIMIT_EXCEEDED', { what: `${output.length} bytes of return data`, limit: outputLimit })
  return output
}
