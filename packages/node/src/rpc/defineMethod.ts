import type { z } from 'zod'
import type { RequestBudget } from '../shared/budget/requestBudget.ts'
import { memoize } from '../shared/caches/memoize.ts'
import { firstProblem, formatPath, notQuick, quickDecoderOf } from '../shared/codec.ts'
import { NetworkError } from '../shared/errors.ts'
import type { JsonText } from '../shared/json/jsonText.ts'
import type { LongText } from '../shared/json/longText.ts'
import { unknownName } from '../shared/json/nearest.ts'
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
  /** Set when a request carries a whole build or state: it may be as large as `--import-body-limit` says. */
  isImport?: true
  /** Set when it may take long, or asks another service: our clients send it alone, so that no other request waits for it. */
  isSlow?: true
  params: Params
  /** How the result is encoded. For docs and types: results are not checked at run time. */
  result: Result
  example: { params: readonly unknown[]; result: unknown }
  handler(services: Services, params: Decoded<Params>, caller: Caller): Answered<Result> | Promise<Answered<Result>>
  /**
   * Set when a call whose answer was lost may be sent again: finds what it would have been answered, or `undefined` when it
   * did not arrive.
   */
  findResult?(services: Services, params: Decoded<Params>): Promise<z.output<Result> | undefined>
  /**
   * Returns the result as JSON if all of it is in memory and quickly encoded. Returns `undefined` if not, or if anything is
   * wrong: then `handler` runs. For methods with the role `read`; every parameter needs a schema with a quick decoder.
   */
  answerNow?(services: Services, params: Decoded<Params>, allowance: Allowance): NowResult | Promise<NowResult>
  /**
   * Starts at once what the method does, if it is the usual case and all that it needs is in memory; resolves with the result
   * as JSON, or rejects as `handler` does. Returns `undefined` if not, or throws: nothing has happened then, and `handler` runs.
   * Every parameter needs a schema with a quick decoder.
   */
  answerSoon?(services: Services, params: Decoded<Params>, budget: RequestBudget): Promise<string> | undefined
}

export type NowResult = string | LongText | undefined

/** What `answerNow` may use. */
export type Allowance = {
  /** Milliseconds of computing. */
  ms: number
  /** Bytes of the result as JSON. */
  bytes: number
  /** Whether the result may come later, while others are answered. */
  mayWait: boolean
}

export type Method = Omit<
  Definition<ParamSchemas, z.ZodType>,
  'handler' | 'answerNow' | 'answerSoon' | 'aliases' | 'findResult'
> & {
  aliases: readonly string[]
  /** The result as JSON; `undefined` if the method has to be called. May throw where `call` does, with another error. */
  answerNow?:
    | ((services: Services, params: unknown, allowance: Allowance) => NowResult | Promise<NowResult>)
    | undefined
  /** `undefined` if the method has to be called. May throw where `call` does, with another error. */
  answerSoon?: ((services: Services, params: unknown, budget: RequestBudget) => Promise<string> | undefined) | undefined
  /** Decodes the parameters and runs the method. Throws `INVALID_PARAMS` and the errors of the services. */
  call(services: Services, params: unknown, caller: Caller): unknown
  findResult: ((services: Services, params: unknown) => Promise<unknown>) | undefined
}

/** Creates a method from its description. */
export function defineMethod<const Params extends ParamSchemas, Result extends z.ZodType>(
  definition: Definition<Params, Result>,
): Method {
  const { handler, answerNow, answerSoon, findResult, aliases = [], ...rest } = definition
  const schemas = Object.entries(definition.params)
  const decoders = schemas.map(([name, schema]) => [name, quickDecoderOf(schema)] as const)
  const names = Object.keys(definition.params)
  const decode = (params: unknown) => decodeParams(schemas, inOrder(params, names)) as Decoded<Params>
  function decodeQuickly(given: unknown): Decoded<Params> | undefined {
    const params = given ?? []
    if (!Array.isArray(params) || params.length > decoders.length) return undefined
    const decoded: Record<string, unknown> = {}
    for (let index = 0; index < decoders.length; index++) {
      const [name, decode] = decoders[index] as (typeof decoders)[number]
      const value = decode(params[index])
      if (value === notQuick) return undefined
      decoded[name] = value
    }
    return decoded as Decoded<Params>
  }
  return {
    ...rest,
    aliases,
    call: (services, params, caller) => handler(services, decode(params), caller),
    findResult: findResult && ((services, params) => findResult(services, decode(params))),
    answerNow:
      answerNow &&
      ((services, given, allowance) => {
        const decoded = decodeQuickly(given)
        return decoded && answerNow(services, decoded, allowance)
      }),
    answerSoon:
      answerSoon &&
      ((services, given, budget) => {
        const decoded = decodeQuickly(given)
        return decoded && answerSoon(services, decoded, budget)
      }),
  }
}

/**
 * The parameters of a call in their order; they may come by name, as JSON-RPC has it. Throws `INVALID_PARAMS` for names that
 * the method does not have.
 */
export function inOrder(given: unknown, names: readonly string[]): unknown[] {
  if (given === undefined || given === null) return []
  if (Array.isArray(given)) return given
  if (typeof given !== 'object') throw invalid('params', 'expected an array, or an object of parameters by name')
  for (const name in given)
    if (!names.includes(name))
      throw invalid(`params.${name.slice(0, nameLimit)}`, unknownName('parameter', name, names))
  const last = names.findLastIndex((name) => Object.hasOwn(given, name))
  return names.slice(0, last + 1).map((name) => given[name as never])
}

function decodeParams(schemas: readonly [string, z.ZodType][], params: readonly unknown[]): Record<string, unknown> {
  if (params.length > schemas.length)
    throw invalid('params', `expected at most ${schemas.length}, got ${params.length}`)
  const decoded: Record<string, unknown> = {}
  for (let index = 0; index < schemas.length; index++) {
    const [name, schema] = schemas[index] as [string, z.ZodType]
    decoded[name] = decodeParam(schema, params[index], index, name)
  }
  return decoded
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
