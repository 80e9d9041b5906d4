import { describeValue } from '../../shared/codec.ts'
import { type ErrorKind, NetworkError } from '../../shared/errors.ts'
import { ExactId, parseMessage } from '../../shared/json/exactIds.ts'
import { LongText, longText } from '../../shared/json/jsonText.ts'
import { mayHaveManyValues } from '../../shared/json/valueLimit.ts'
import type { Caller } from '../caller.ts'
import type { Method } from '../defineMethod.ts'
import { encodeError } from '../encode/error.ts'

export type Answer = {
  /** JSON; `undefined` for a notification. */
  text: string | LongText | undefined
  /** Why a request that came alone failed. */
  error: ErrorKind | undefined
}

/** The answer to a request or to a batch: in UTF-8 where it is large. */
export type MessageAnswer = Pick<Answer, 'error'> & { text: Answer['text'] | Buffer }

/** An answered call, or a notification. */
export type AnsweredCall = {
  /** `undefined` when there is no such method. */
  method: Method | undefined
  params: unknown
  caller: Caller
  /** What it failed with. */
  error: ErrorKind | undefined
  /** How long it took, in milliseconds. */
  ms: number
}

/** An answer in one piece, for those who cannot send it in parts. */
export const inOnePiece = (text: NonNullable<MessageAnswer['text']>): string | Buffer =>
  Buffer.isBuffer(text) ? text : `${text}`

/** A request with a valid envelope. */
export type Request = {
  /** As JSON. */
  id: string
  method: string
  params: unknown
  isNotification: boolean
}

/** `method`: whose errors may have no `data`. */
export function failure(id: string, error: NetworkError, method?: string): Answer {
  return { text: `{"jsonrpc":"2.0","id":${id},"error":${encodeError(error, method)}}`, error: error.kind }
}

/** `result` is JSON. */
export function successText(id: string, result: string | LongText): string | LongText {
  const start = `{"jsonrpc":"2.0","id":${id},"result":`
  if (typeof result !== 'string')
    return result.length < longText ? `${start}${result}}` : new LongText([start, ...result.parts, '}'])
  return result.length < longText ? `${start}${result}}` : new LongText([start, result, '}'])
}

/** Checks the envelope. A missing `jsonrpc` is let pass: some simple clients leave it out. */
export function readRequest(item: unknown): Request {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw invalid(`expected an object with jsonrpc, id, method and params, got ${describeValue(item)}`)
  const { jsonrpc, id, method, params } = item as Record<string, unknown>
  const text = id === undefined ? 'null' : idText(id)
  if (text === undefined) throw invalid(`id: expected a string, a number or null, got ${describeValue(id)}`)
  if (jsonrpc !== undefined && jsonrpc !== '2.0')
    throw invalid(`jsonrpc: expected "2.0", got ${describeValue(jsonrpc)}`)
  if (typeof method !== 'string') throw invalid(`method: expected a string, got ${describeValue(method)}`)
  return { id: text, method, params, isNotification: !Object.hasOwn(item, 'id') }
}

export function invalid(problem: string): NetworkError {
  return new NetworkError('INVALID_REQUEST', { problem })
}

/** The id of the request in a body, as JSON; `null` if there is none, or if it would take long to find. */
export function idOfBody(body: string): string {
  if (mayHaveManyValues(body)) return 'null'
  try {
    return idOf(parseMessage(body))
  } catch {
    return 'null'
  }
}

/** The id as JSON; `null` if there is none, or if it is none. */
export function idOf(item: unknown): string {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return 'null'
  return idText((item as { id?: unknown }).id) ?? 'null'
}

/** An id as JSON; `undefined` if it is not a string, a number or `null`. */
function idText(id: unknown): string | undefined {
  if (typeof id === 'number' && Number.isSafeInteger(id)) return `${id}`
  if (id instanceof ExactId) return id.text
  return id === null || typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : undefined
}

/** A request as JSON. */
export function requestText({ id, method, params, isNotification }: Request): string {
  const call = `"jsonrpc":"2.0","method":${JSON.stringify(method)}`
  const rest = params === undefined ? call : `${call},"params":${JSON.stringify(params)}`
  return isNotification ? `{${rest}}` : `{"id":${id},${rest}}`
}
