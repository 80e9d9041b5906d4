import type { z } from 'zod'
import type { MaybePromise } from '../shared/async/maybePromise.ts'
import { memoize } from '../shared/caches.ts'
import { firstProblem, formatPath, notQuick, type QuickDecoder, quickDecoderOf } from '../shared/codec.ts'
import { type ErrorKind, NetworkError } from '../shared/errors.ts'
import type { JsonText, LongText } from '../shared/json/jsonText.ts'
import { unknownName } from '../shared/json/nearest.ts'
import { isNestedDeeper, nestingLimit, requireFewValues } from '../shared/json/valueLimit.ts'
import type { Role } from '../shared/role.ts'
import type { Caller } from './caller.ts'
import type { Services } from './services.ts'

export type { Role } from '../shared/role.ts'

/** Parameters by name, in positional order. Only trailing ones may be optional. */
export type ParamSchemas = Record<string, z.ZodType>

type Decoded<Params extends ParamSchemas> = { [Name in keyof Params]: z.output<Params[Name]> }

/** The result, or its JSON. */
type Answered<Result extends z.ZodType> = z.output<Result> | JsonText | LongText

type Definition<Params extends ParamSchemas, Result extends z.ZodType> = {
  name: string
  /** Aliases of the method. */
  aliases?: readonly string[]
  /** What other test networks answer under aliases, where that is not the result here. */
  aliasResults?: Readonly<Record<string, true | null>>
  /** One sentence. */
  summary: string
  role: Role
  /** Set if the method changes nothing, whatever its role: every node of the network answers it itself. */
  isLocal?: true
  /**
   * Set if it reads what only the node that seals has, the waiting transactions or coverage: always, where its result is null without them, where a parameter names the
   * pending block, or where none names another block. Others read only the pending block.
   */
  readsPool?: 'always' | 'when null' | 'when pending' | 'by default'
  /**
   * Set if some calls store something: whether one with these parameters does, which are not decoded yet. It needs the role write
   * then, and runs on the node that seals.
   */
  stores?(params: readonly unknown[]): boolean
  /** Set when a request carries a whole build or state: it may be as large as `--import-body-limit` says. */
  isImport?: true
  /** Set when it may take long, or asks another service: our clients send it alone, so that no other request waits for it. */
  isSlow?: true
  params: Params
  /** How the result is encoded. For docs and types: results are not checked at run time. */
  result: Result
  /**
   * What the parameters mean, by name, with their units, and what the fields of a last one mean that is an object. Every
   * method of our own has them; those of `commonFields` need no text here.
   */
  fields?: Readonly<Record<string, string>>
  /** The kinds of errors that it may have, beside the `commonErrors` of every method. The networks of tests hold it. */
  errors?: readonly ErrorKind[]
  example: { params: readonly unknown[]; result: unknown }
  /** Returns at once what is in memory, and a promise of what has to be loaded. */
  handler(services: Services, params: Decoded<Params>, caller: Caller): MaybePromise<Answered<Result>>
  /**
   * Set when a call whose answer was lost may be sent again: finds what it would have been answered, or `undefined` when it
   * did not arrive.
   */
  findResult?(services: Services, params: Decoded<Params>): Promise<z.output<Result> | undefined>
}

export type Method = Omit<Definition<ParamSchemas, z.ZodType>, 'handler' | 'aliases' | 'findResult'> & {
  aliases: readonly string[]
  /** Decodes parameters in their order and runs the method. Throws `INVALID_PARAMS` and the errors of the services. */
  call(services: Services, params: readonly unknown[], caller: Caller): unknown
  findResult: ((services: Services, params: readonly unknown[]) => Promise<unknown>) | undefined
}

/** What a call with these parameters needs. */
export const roleOf = ({ role, stores }: Pick<Method, 'role' | 'stores'>, params: readonly unknown[]): Role =>
  role === 'read' && stores?.(params) ? 'write' : role

/** Creates a method from its description. */
export function defineMethod<const Params extends ParamSchemas, Result extends z.ZodType>(
  definition: Definition<Params, Result>,
): Method {
  const { handler, findResult, aliases = [], ...rest } = definition
  const codecs = Object.entries(definition.params).map(
    ([name, schema]): Codec => ({
      name,
      schema,
      decodeQuickly: quickDecoderOf(schema),
    }),
  )
  const decode = (params: readonly unknown[]) => decodeParams(codecs, params, definition) as Decoded<Params>
  return {
    ...rest,
    aliases,
    call: (services, params, caller) => handler(services, decode(params), caller),
    findResult: findResult && ((services, params) => findResult(services, decode(params))),
  }
}

/**
 * The parameters of a call in their order; they may come by name, as JSON-RPC has it. Throws `INVALID_PARAMS` for names that
 * the method does not have.
 */
export function inOrder(given: unknown, params: ParamSchemas): readonly unknown[] {
  if (given === undefined || given === null) return []
  if (Array.isArray(given)) return given
  const names = Object.keys(params)
  if (typeof given !== 'object') throw invalid('params', 'expected an array, or an object of parameters by name')
  for (const name in given)
    if (!names.includes(name))
      throw invalid(`params.${name.slice(0, nameLimit)}`, unknownName('parameter', name, names))
  const last = names.findLastIndex((name) => Object.hasOwn(given, name))
  return names.slice(0, last + 1).map((name) => given[name as never])
}

type Codec = { name: string; schema: z.ZodType; decodeQuickly: QuickDecoder<unknown> }

function decodeParams(
  codecs: readonly Codec[],
  params: readonly unknown[],
  method: Pick<Method, 'isImport'>,
): Record<string, unknown> {
  if (params.length > codecs.length) {
    requireFewAndShallow(params, method)
    throw invalid('params', `expected at most ${codecs.length}, got ${params.length}`)
  }
  let isChecked = false
  const decoded: Record<string, unknown> = {}
  for (let index = 0; index < codecs.length; index++) {
    const { name, schema, decodeQuickly } = codecs[index] as Codec
    let value = decodeQuickly(params[index])
    if (value === notQuick) {
      if (!isChecked) requireFewAndShallow(params, method)
      isChecked = true
      value = decodeParam(schema, params[index], index, name)
    }
    decoded[name] = value
  }
  return decoded
}

/** Throws for parameters that would take long to look at. */
export function requireFewAndShallow(params: readonly unknown[], { isImport }: Pick<Method, 'isImport'>): void {
  requireFewValues(params, isImport ? 'an import' : 'a request')
  if (isNestedDeeper(params)) throw invalid('params', `arrays and objects are nested more than ${nestingLimit} deep`)
}

/** Decodes a parameter with its schema. Throws `INVALID_PARAMS` with the parameter's position. */
export function decodeParam(schema: z.ZodType, given: unknown, index: number, name: string): unknown {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const { path, text } = firstProblem(result.error, given)
  throw invalid(`params[${index}]${path.length > 0 ? namedPath(path, given) : ` (${name})`}`, text)
}

/** Longest name that a path shows. */
const nameLimit = 100

/** A path with the names of the elements of lists in it: `.contracts[1] (Token).abi`. */
function namedPath(path: readonly PropertyKey[], given: unknown): string {
  let value = given
  const parts = path.map((key) => {
    value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key]
    const name = typeof key === 'number' ? (value as { name?: unknown } | null | undefined)?.name : undefined
    const isShown = typeof name === 'string' && name.length > 0 && name.length <= nameLimit
    return `${formatPath([key])}${isShown ? ` (${name})` : ''}`
  })
  return parts.join('')
}

function invalid(field: string, problem: string): NetworkError {
  return new NetworkError('INVALID_PARAMS', { field, problem })
}

/** The role of all methods that import. */
export const importRole: Role = 'admin'

/** Finds out whether a body calls a method that carries a whole build or state, so that it may be larger. */
export const importFinder = memoize((methods: readonly Method[]): ((body: string) => boolean) => {
  const names = methods.flatMap(({ isImport, name, aliases }) => (isImport ? [name, ...aliases] : []))
  const call = new RegExp(`"method"\\s*:\\s*"(${names.join('|')})"`)
  return (body) => names.length > 0 && call.test(body)
})
