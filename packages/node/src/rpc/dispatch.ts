import { describeValue } from '../shared/codec.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import type { Method } from './defineMethod.ts'
import { encodeError } from './encode/error.ts'
import type { Services } from './services.ts'

export type Dispatcher = {
  /** Answers the JSON of a request or of a batch with JSON; `undefined` when it asks for no answer. Never rejects. */
  answer(body: string): Promise<string | undefined>
}

export type DispatchOptions = {
  /** The most requests in one batch. */
  batchLimit: number
  logger: Logger
  /** Makes the id by which an unexpected error is found in the log. */
  createId: () => string
}

/** A request whose envelope is right. */
type Request = { id: string; method: string; params: unknown; isNotification: boolean }

/** Answers JSON-RPC 2.0. The only place where errors become JSON-RPC objects. */
export function createDispatcher(
  methods: readonly Method[],
  services: Services,
  { batchLimit, logger, createId }: DispatchOptions,
): Dispatcher {
  const byName = new Map(methods.flatMap((method) => [method.name, ...method.aliases].map((name) => [name, method])))

  async function answerOne(item: unknown): Promise<string | undefined> {
    let request: Request
    try {
      request = readRequest(item)
    } catch (error) {
      return failure(idOf(item), error, undefined)
    }
    const { id, method, params, isNotification } = request
    try {
      const found = byName.get(method)
      if (!found) throw new NetworkError('METHOD_NOT_FOUND', { method: method.slice(0, 100) })
      const result = await found.call(services, params)
      return isNotification ? undefined : success(id, result)
    } catch (error) {
      const text = failure(id, error, method)
      return isNotification ? undefined : text
    }
  }

  /** The answers of a batch in its order. Reads run together; whatever may change something runs alone, in its place. */
  async function answerBatch(items: readonly unknown[]): Promise<string | undefined> {
    if (items.length === 0)
      return failure('null', new NetworkError('INVALID_REQUEST', { problem: 'the batch is empty' }))
    if (items.length > batchLimit)
      return failure(
        'null',
        new NetworkError('LIMIT_EXCEEDED', { what: `a batch of ${items.length} requests`, limit: batchLimit }),
      )
    const answers: (string | undefined)[] = []
    let reads: Promise<void>[] = []
    for (const [index, item] of items.entries()) {
      const answered = async () => {
        answers[index] = await answerOne(item)
      }
      if (isRead(item)) {
        reads.push(answered())
      } else {
        await Promise.all(reads)
        reads = []
        await answered()
      }
    }
    await Promise.all(reads)
    const texts = answers.filter((text) => text !== undefined)
    return texts.length === 0 ? undefined : `[${texts.join(',')}]`
  }

  function isRead(item: unknown): boolean {
    const method = (item as { method?: unknown } | null)?.method
    const found = typeof method === 'string' ? byName.get(method) : undefined
    return found === undefined || found.role === 'read'
  }

  function failure(id: string, error: unknown, method?: string): string {
    if (error instanceof NetworkError) {
      logger.debug({ method, kind: error.kind, code: error.code }, error.message)
      return `{"jsonrpc":"2.0","id":${id},"error":${encodeError(error)}}`
    }
    const bugId = createId()
    logger.error({ err: error, id: bugId, method }, 'Failed unexpectedly')
    return `{"jsonrpc":"2.0","id":${id},"error":${encodeError(new NetworkError('INTERNAL', { id: bugId }))}}`
  }

  return {
    async answer(body) {
      let parsed: unknown
      try {
        parsed = JSON.parse(body)
      } catch {
        return failure('null', new NetworkError('PARSE_ERROR', {}))
      }
      return Array.isArray(parsed) ? answerBatch(parsed) : answerOne(parsed)
    },
  }
}

function success(id: string, result: unknown): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result === undefined ? 'null' : JSON.stringify(result)}}`
}

/** Checks the envelope. A missing `jsonrpc` is let pass: some simple clients leave it out. */
function readRequest(item: unknown): Request {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw invalid(`expected an object with jsonrpc, id, method and params, got ${describeValue(item)}`)
  const { jsonrpc, method, params } = item as Record<string, unknown>
  if (jsonrpc !== undefined && jsonrpc !== '2.0')
    throw invalid(`jsonrpc: expected "2.0", got ${describeValue(jsonrpc)}`)
  if (typeof method !== 'string') throw invalid(`method: expected a string, got ${describeValue(method)}`)
  return { id: idOf(item), method, params, isNotification: !Object.hasOwn(item, 'id') }
}

function invalid(problem: string): NetworkError {
  return new NetworkError('INVALID_REQUEST', { problem })
}

/** The id as JSON, of whatever type it is; `null` when there is none, or when it is nested so deep that it cannot be written. */
function idOf(item: unknown): string {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return 'null'
  try {
    return JSON.stringify((item as { id?: unknown }).id ?? null)
  } catch {
    return 'null'
  }
}
