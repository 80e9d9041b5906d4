import type { Random } from '@understudy/testkit'
import type { Figures } from '../../shared/figures.ts'
import { internalError, problemOf, type RpcError } from '../answers.ts'
import { differenceOf, stateOf } from './digest.ts'
import type { Faults } from './faults.ts'
import { type Schema, valueFrom } from './grammar.ts'
import { write } from './rawJson.ts'
import { spoiled } from './spoil.ts'

type Method = {
  name: string
  'x-role': 'read' | 'write' | 'admin'
  params: { name: string; required: boolean; schema: Schema }[]
  examples: { params: { value: unknown }[] }[]
}

type Send = (body: string) => Promise<string>

/** EIP-7966: it was accepted and is pending. */
const notSealedInTime = 4
/** How long an answer may take, in milliseconds. */
const timeoutMs = 60_000

/** Sends requests for every method, right ones and spoiled ones, and looks at what they answer and leave behind. */
export async function fuzzRequests(
  url: string,
  {
    count,
    random,
    figures,
    faults,
    send,
  }: { count: number; random: Random; figures: Figures; faults: Faults; send: Send },
): Promise<void> {
  const methods = await discover(url)
  figures.set('methods', methods.length)
  let before = await stateOf(url)
  for (let index = 0; index < count; index++) {
    const method = random.pick(methods)
    const { params, isValid, unknown } = paramsOf(method, random)
    const id = random.pick(ids(index))
    const bodyOf = (given: unknown) =>
      `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method.name)},"params":${write(given)}}`
    const isNamed = Array.isArray(params) && params.length <= method.params.length && random.below(4) === 0
    const body = bodyOf(isNamed ? byName(method, params) : params)
    const error = await faults.during(body, () => exchange(send, body, id))
    figures.add(error ? 'requests refused' : 'requests done')
    if (error && isValid && isOfType(error)) faults.add(`what the schema allows is refused: ${error.message}`, body)
    if (unknown && !error) faults.add(`the unknown field ${unknown} is passed over`, body)
    if (error?.code === -32602 && !/^invalid params: .+: ./su.test(error.message))
      faults.add(`which field is wrong is not said: ${error.message}`, body)
    if (answeredAtOnce.test(method.name))
      await faults.during(body, () => compareWays(send, isNamed ? [body, bodyOf(params)] : [body]))
    if (method['x-role'] === 'read') continue
    if (!error) await settle(url)
    const after = await stateOf(url)
    if (error && after !== before && error.code !== notSealedInTime)
      faults.add(`a refused request changed ${differenceOf(before, after)}`, body)
    before = after
  }
}

/** Methods that are answered without waiting when all is in memory. */
const answeredAtOnce =
  /^(net_version|eth_(chainId|blockNumber|gasPrice|call|getBalance|getTransactionCount|getCode|getStorageAt|getLogs|getBlockBy.*|getTransactionByHash|getTransactionReceipt))$/

/** Checks that both ways of answering agree, for all forms of a request: one without `jsonrpc` takes the longer one. */
async function compareWays(send: Send, bodies: readonly string[]): Promise<void> {
  const [first = '', ...others] = bodies.flatMap((body) => [body, body.replace('"jsonrpc":"2.0",', '')])
  const short = await send(first)
  for (const other of others) {
    const long = await send(other)
    if (short !== long) throw new Error(`${other} is answered ${long.slice(0, 300)}, and not ${short.slice(0, 300)}`)
  }
}

/** Ids as they are written. */
const ids = (index: number) => [
  ...[`${index}`, `"${index}"`, `${2 ** 53 + index}1`, `-${index}.50`, `${index}.5e-3`, '"\\u00e9"', '1e400'],
]

/** Parameters by name, those that are missing left out. */
function byName({ params }: Method, given: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(given.map((value, index) => [params[index]?.name, value]))
}

/** Errors that refuse the form of a request, which the schema describes. */
const isOfType = ({ code, message }: RpcError) =>
  code === -32602 && /^invalid params: params\[.*: expected .*, got /.test(message)

async function discover(url: string): Promise<Method[]> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}'
  const response = await fetch(url, { method: 'POST', body })
  const { result } = (await response.json()) as { result: { methods: Method[] } }
  return result.methods
}

/** A third is what the schema allows, the others have one thing wrong with them, or with the example. */
function paramsOf(
  { params, examples }: Method,
  random: Random,
): { params: unknown; isValid: boolean; unknown?: string } {
  const given = random.below(params.length + 1)
  const count = Math.max(given, params.filter(({ required }) => required).length)
  const valid = params.slice(0, count).map(({ schema }) => valueFrom(schema, random))
  const closed = valid.findIndex(
    (value, index) => isClosed(value) && params[index]?.schema.additionalProperties === false,
  )
  if (closed >= 0 && random.below(6) === 0) {
    const unknown = random.pick(['nope', 'gasLimitt', 'x'.repeat(90)])
    const more = { ...(valid[closed] as object), [unknown]: random.pick([null, 1, {}]) }
    return { params: valid.with(closed, more), isValid: false, unknown }
  }
  if (random.below(3) === 0) return { params: valid, isValid: true }
  const example = examples[0]?.params.map(({ value }) => value) ?? []
  return { params: spoiled(random.below(2) === 0 ? valid : example, random), isValid: false }
}

const isClosed = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The error of an answer. Throws if the answer takes too long, is invalid, has another id, or is an internal error. */
async function exchange(send: Send, body: string, id: string): Promise<RpcError | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
  })
  const text = await Promise.race([send(body), late]).finally(() => clearTimeout(timer))
  const answer = JSON.parse(text) as { error?: RpcError; id: unknown }
  // What is too much is refused before it is read.
  if (!text.includes(`"id":${id.startsWith('"') ? JSON.stringify(JSON.parse(id)) : id},`) && answer.id !== null)
    throw new Error(`the answer has the id of another request: ${text.slice(0, 300)}`)
  const problem = problemOf(answer)
  if (problem || answer.error?.code === internalError) throw new Error(`the answer ${problem}: ${text.slice(0, 300)}`)
  return answer.error
}

/** Background changes would hide the effects of refused requests. */
async function settle(url: string): Promise<void> {
  const calls = [
    ['dev_setMiningMode', 'instant'],
    ['mock_setWipeSchedule', { intervalMs: null }],
  ].map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
  await (await fetch(url, { method: 'POST', body: JSON.stringify(calls) })).text()
}
