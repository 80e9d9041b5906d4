import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MessageBytes } from '../../shared/budget/messageBytes.ts'
import { clientGone, currentBudget, type RequestBudget } from '../../shared/budget/requestBudget.ts'
import { Shares } from '../../shared/budget/shares.ts'
import { NetworkError } from '../../shared/errors.ts'
import { createLogger } from '../../shared/logger.ts'
import type { Caller, Client } from '../caller.ts'
import { Address } from '../codecs/hex.ts'
import { Amount } from '../codecs/numbers.ts'
import { optional } from '../codecs/optional.ts'
import { defineMethod, type Role } from '../defineMethod.ts'
import type { Services } from '../services.ts'
import { createDispatcher, type Dispatcher } from './dispatch.ts'

const log: string[] = []
const budgets: { given: RequestBudget; current: RequestBudget | undefined }[] = []
const lines: Record<string, unknown>[] = []
afterEach(() => {
  log.length = 0
  budgets.length = 0
  lines.length = 0
})

/** A method that says when it begins and ends, and takes a turn of the event loop in between. */
const slow = (name: string, role: Role) =>
  defineMethod({
    name,
    summary: 'Takes its time.',
    role,
    params: { value: z.number() },
    result: z.number(),
    example: { params: [1], result: 1 },
    async handler(_, { value }) {
      log.push(`begin ${value}`)
      await new Promise((resolve) => setImmediate(resolve))
      log.push(`end ${value}`)
      return value
    },
  })

const thrower = (name: string, error: () => unknown) =>
  defineMethod({
    name,
    summary: 'Fails.',
    role: 'read',
    params: {},
    result: z.unknown(),
    example: { params: [], result: null },
    handler() {
      throw error()
    },
  })

/** A method that notes what it may use. */
const spender = (name: string, role: Role) =>
  defineMethod({
    name,
    summary: 'Notes its budget.',
    role,
    params: {},
    result: z.null(),
    example: { params: [], result: null },
    async handler(_, _params, { budget }) {
      await new Promise((resolve) => setImmediate(resolve))
      budgets.push({ given: budget, current: currentBudget() })
      return null
    },
  })

/** A method with a number, of which `handler` makes what it answers. */
const sized = (name: string, handler: (size: number, caller: Caller) => unknown) =>
  defineMethod({
    name,
    summary: 'Answers by a number.',
    role: 'read',
    params: { size: optional(z.number()) },
    result: z.any(),
    example: { params: [1], result: null },
    handler: (_, { size = 0 }, caller) => handler(size, caller),
  })

const reverted = () =>
  new NetworkError('EXECUTION_REVERTED', { text: 'execution reverted: no' }, { data: '0x08c379a0' })

const methods = [
  sized('test_text', (size) => 'x'.repeat(size)),
  sized('test_revertMuch', (size) => {
    throw new NetworkError('EXECUTION_REVERTED', { text: 'execution reverted' }, { data: 'x'.repeat(size) })
  }),
  sized('test_expect', (size, { budget }) => {
    budget.bytes.expect(size)
    return null
  }),
  sized('test_unwritable', () => ({
    toJSON() {
      throw new Error('it cannot be written')
    },
  })),
  spender('test_spendReading', 'read'),
  spender('test_spendWriting', 'write'),
  slow('test_read', 'read'),
  slow('test_write', 'write'),
  defineMethod({
    name: 'test_echo',
    aliases: ['other_echo'],
    summary: 'Returns what it is given.',
    role: 'read',
    params: { value: z.unknown() },
    result: z.unknown(),
    example: { params: [1], result: 1 },
    handler: (_, { value }) => value,
  }),
  defineMethod({
    name: 'test_pay',
    summary: 'Has an address, an amount and a note.',
    role: 'admin',
    params: { address: Address, amount: Amount, note: optional(z.object({ text: z.string() })) },
    result: z.string(),
    example: { params: [], result: '' },
    handler: (_, { address, amount, note }) => `${address} ${amount} ${note?.text}`,
  }),
  thrower('eth_revert', reverted),
  thrower('test_revert', reverted),
  thrower('test_refuse', () => new NetworkError('NONCE_TOO_LOW', { address: '0xab', nonce: 1n, expected: 2n })),
  thrower('test_break', () => new TypeError('x is not a function')),
  thrower('test_throwText', () => 'a string'),
  defineMethod({
    name: 'test_unencodable',
    summary: 'Has a bug.',
    role: 'read',
    params: {},
    result: z.unknown(),
    example: { params: [], result: null },
    handler: () => ({ number: 1n }),
  }),
]

let bugs = 0
const dispatcher = createDispatcher(methods, {} as Services, {
  batchLimit: 5,
  callTimeout: 5,
  requestKeys: 100,
  logger: createLogger('error', { write: (line: string) => lines.push(JSON.parse(line)) }),
  createId: () => `bug-${++bugs}`,
})

/** What the answers of a message may have. */
const bytesOf = (answerLimit: number) =>
  new MessageBytes({ inFlight: new Shares(2 * answerLimit), holder: 'somebody', answerLimit })

const anybody: Client = {
  role: 'admin',
  key: undefined,
  mayAsk: () => true,
  subscriber: undefined,
  holder: 'somebody',
  connection: {},
  bytes: bytesOf(1_000_000),
}
const textOf = async (answered: ReturnType<Dispatcher['answer']>) => (await answered).text?.toString()
const answer = (body: string) => textOf(dispatcher.answer(body, anybody))
const send = async (body: unknown) => JSON.parse((await answer(JSON.stringify(body))) ?? '"nothing"')
const call = (method: string, params: unknown, id: unknown = 1) => send({ jsonrpc: '2.0', id, method, params })

describe('a request', () => {
  it('is answered with its result', async () => {
    expect(await call('test_echo', ['x'])).toEqual({ jsonrpc: '2.0', id: 1, result: 'x' })
  })

  it('is found by another name of the method', async () => {
    expect(await call('other_echo', ['x'])).toMatchObject({ result: 'x' })
  })

  it('has a null result where the method returns nothing', async () => {
    expect(await call('test_echo', [])).toEqual({ jsonrpc: '2.0', id: 1, result: null })
  })

  it('may leave out jsonrpc, and params', async () => {
    expect(await send({ id: 7, method: 'test_echo' })).toEqual({ jsonrpc: '2.0', id: 7, result: null })
    expect(await send({ id: 7, method: 'test_echo', params: null })).toEqual({ jsonrpc: '2.0', id: 7, result: null })
  })

  it.each([
    ...['null', '"x"', '""', '7', '0', '-1'],
    ...['9007199254740993', '-9007199254740993', '18446744073709551615', '1.5', '1.50', '1.5e0', '1e400', '1e-7'],
  ])('gets its id back as it came: %s', async (id) => {
    const request = `"method":"test_echo","params":[1]}`
    const answered = `{"jsonrpc":"2.0","id":${id},"result":1}`
    expect(await answer(`{"jsonrpc":"2.0","id":${id},${request}`)).toBe(answered)
    // Without the version, and with names and values among which the id has to be found.
    const hidden = `{ "a" : [ { "id" : 1.25 } , "\\"id\\":" , "{" ] , "\\u0069d" : ${id}\t, ${request}`
    expect(await answer(hidden)).toBe(answered)
    expect(await answer(`{"id":1.25,"id":${id},${request}`)).toBe(answered)
    expect(await answer(` [ 1.5 , [{"id":0.5}] , {"id":${id},${request} , {"id":2,${request} ]`)).toContain(
      `,${answered},{"jsonrpc":"2.0","id":2,"result":1}]`,
    )
    expect(await answer(`{"id":${id},"method":"test_nope"}`)).toContain(`{"jsonrpc":"2.0","id":${id},"error":`)
  })

  it('gets any JSON value back as it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const response = await answer(`{"id":1,"method":"test_echo","params":[${JSON.stringify(value)}]}`)
        expect(response).toBe(`{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(value)}}`)
      }),
    )
  })
})

describe('a notification', () => {
  it.each([
    ['that succeeds', 'test_echo'],
    ['that fails', 'test_refuse'],
    ['of an unknown method', 'test_nothing'],
  ])('%s is run and not answered', async (_, method) => {
    expect(await answer(JSON.stringify({ jsonrpc: '2.0', method, params: [] }))).toBeUndefined()
  })

  it('with a null id is a request all the same', async () => {
    expect(await call('test_echo', [1], null)).toEqual({ jsonrpc: '2.0', id: null, result: 1 })
  })
})

describe('what is not a request', () => {
  it.each(['', '{', 'null x', '{"id":1,}', '\u0000'])('is a parse error when it is not JSON: %j', async (body) => {
    expect(JSON.parse((await answer(body)) ?? '')).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'parse error: the body is not valid JSON', data: { kind: 'PARSE_ERROR' } },
    })
  })

  it.each([
    [1, null, 'expected an object with jsonrpc, id, method and params, got 1'],
    ['text', null, 'expected an object with jsonrpc, id, method and params, got "text"'],
    [null, null, 'expected an object with jsonrpc, id, method and params, got null'],
    [{}, null, 'method: expected a string, got nothing'],
    [{ id: {}, method: 'test_echo' }, null, 'id: expected a string, a number or null, got an object'],
    [{ id: [1], method: 'test_echo' }, null, 'id: expected a string, a number or null, got an array of 1'],
    [{ id: true, method: 'test_echo' }, null, 'id: expected a string, a number or null, got true'],
    [{ id: 3, method: 5 }, 3, 'method: expected a string, got 5'],
    [{ id: 'a', jsonrpc: '1.0', method: 'test_echo' }, 'a', 'jsonrpc: expected "2.0", got "1.0"'],
  ])('is an invalid request: %j', async (body, id, problem) => {
    expect(await send(body)).toEqual({
      jsonrpc: '2.0',
      id,
      error: {
        code: -32600,
        message: `invalid request: ${problem}`,
        data: { kind: 'INVALID_REQUEST', problem },
      },
    })
  })

  it('never breaks the dispatcher, whatever its JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (value) => {
        const response = await answer(JSON.stringify(value))
        if (response !== undefined) expect(() => JSON.parse(response)).not.toThrow()
      }),
    )
  })

  it('does not break the dispatcher when it is nested deeper than it can be written', async () => {
    const deep = '['.repeat(9000) + ']'.repeat(9000)
    const response = await answer(`{"id":${deep},"method":"test_echo","params":[1]}`)
    expect(JSON.parse(response ?? '')).toMatchObject({ id: null, error: { code: -32600 } })
  })

  it('is refused before it is parsed when it has too many values, in a batch ten times as many', async () => {
    const lists = (count: number) => `[${Array.from({ length: count }, () => '[]').join()}]`
    const request = (count: number) => `{"jsonrpc":"2.0","id":1,"method":"test_echo","params":[${lists(count)}]}`
    const tooMany = (of: string, limit: number) => ({
      jsonrpc: '2.0',
      id: null,
      error: expect.objectContaining({
        code: -32005,
        data: { kind: 'LIMIT_EXCEEDED', what: `values in ${of}, where objects and lists count as 12`, limit },
      }),
    })
    expect(JSON.parse((await answer(request(11_000))) ?? '')).toEqual(tooMany('a request', 120_000))
    const deep = `{"id":${'['.repeat(100_000)}${']'.repeat(100_000)},"method":"test_echo","params":[1]}`
    expect(JSON.parse((await answer(deep)) ?? '')).toEqual(tooMany('a request', 120_000))
    expect(JSON.parse((await answer(`[${request(110_000)}]`)) ?? '')).toEqual(tooMany('a batch', 1_200_000))
    expect(JSON.parse((await answer(`[${request(9000)},${request(9000)}]`)) ?? '')).toMatchObject([
      { id: 1 },
      { id: 1 },
    ])
  })
})

describe('an error', () => {
  it('names a method that does not exist, as clients look for it', async () => {
    expect(await call('eth_nope', [])).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32601,
        message: 'the method eth_nope does not exist/is not available',
        data: { kind: 'METHOD_NOT_FOUND', method: 'eth_nope' },
      },
    })
  })

  it.each(['__proto__', 'constructor', 'toString', ''])('does not take %j for a method', async (name) => {
    expect(await call(name, [])).toMatchObject({ error: { code: -32601 } })
  })

  it('of a revert carries the return data as hex, beside the kind where the method is our own', async () => {
    const error = { code: 3, message: 'execution reverted: no' }
    expect((await call('eth_revert', [])).error).toEqual({ ...error, data: '0x08c379a0' })
    expect((await call('test_revert', [])).error).toEqual({
      ...error,
      data: { kind: 'EXECUTION_REVERTED', text: 'execution reverted: no', data: '0x08c379a0' },
    })
  })

  it('carries its kind and details, bigints in decimal digits', async () => {
    expect((await call('test_refuse', [])).error).toEqual({
      code: -32000,
      message: 'nonce too low: address 0xab, tx: 1 state: 2',
      data: { kind: 'NONCE_TOO_LOW', address: '0xab', nonce: '1', expected: '2' },
    })
  })

  it.each(['test_break', 'test_throwText', 'test_unencodable'])(
    'that nobody expected (%s) is logged with its stack under the id that the client is given',
    async (method) => {
      const { error } = await call(method, [])
      const { id } = error.data
      expect(error).toEqual({
        code: -32603,
        message: `internal error ${id}: please report it with the log line of that id`,
        data: { kind: 'INTERNAL', id },
      })
      expect(lines).toMatchObject([{ msg: 'Failed unexpectedly', id, method }])
      if (method !== 'test_throwText')
        expect(lines[0]).toMatchObject({ err: { stack: expect.stringContaining('at ') } })
    },
  )
})

describe('params', () => {
  const holder = '0x00000000000000000000000000000000000000AA'

  it('are decoded', async () => {
    expect(await call('test_pay', [holder, '0x10', { text: 'hi' }])).toMatchObject({
      result: `${holder.toLowerCase()} 16 hi`,
    })
  })

  it('may come by name', async () => {
    const named = { note: { text: 'hi' }, amount: '0x10', address: holder }
    expect(await call('test_pay', named)).toEqual(await call('test_pay', [holder, '0x10', { text: 'hi' }]))
    expect(await call('test_echo', {})).toMatchObject({ result: null })
  })

  it.each([[[holder, 1]], [[holder, 1, null]], [{ address: holder, amount: 1 }]])(
    'may leave out what is optional: %j',
    async (params) => {
      expect(await call('test_pay', params)).toMatchObject({ result: `${holder.toLowerCase()} 1 undefined` })
    },
  )

  it.each([
    [[], 'params[0] (address): expected a 20-byte 0x-hex address, got nothing'],
    [['0x12', 1], 'params[0] (address): expected a 20-byte 0x-hex address, got "0x12"'],
    [[holder, -1], 'params[1] (amount): expected an amount in decimal digits or 0x-hex, from 0 to 2^256-1, got -1'],
    [[holder, 1, {}], 'params[2].text: expected a string, got nothing'],
    [[holder, 1, 5], 'params[2] (note): expected an object, got 5'],
    [[holder, 1, null, 4], 'params: expected at most 3, got 4'],
    [
      { address: holder },
      'params[1] (amount): expected an amount in decimal digits or 0x-hex, from 0 to 2^256-1, got nothing',
    ],
    [{ adress: holder, amount: 1 }, 'params.adress: is not a known parameter; did you mean address?'],
    [{ address: holder, amount: 1, to: 1 }, 'params.to: is not a known parameter'],
    [{ ['x'.repeat(1_000_000)]: 1 }, `params.${'x'.repeat(100)}: is not a known parameter`],
    ['text', 'params: expected an array, or an object of parameters by name'],
  ])('that are wrong are named: %j', async (params, message) => {
    expect((await call('test_pay', params)).error).toMatchObject({
      code: -32602,
      message: `invalid params: ${message}`,
    })
  })

  it('are shortened in messages', async () => {
    const { error } = await call('test_pay', [`0x${'ab'.repeat(100_000)}`, 1])
    expect(error.message.length).toBeLessThan(200)
    expect(error.message).toContain('(200002 characters)')
  })
})

describe('a batch', () => {
  const item = (id: number, method = 'test_echo') => ({ jsonrpc: '2.0', id, method, params: [id] })

  it('is answered in its order', async () => {
    expect(await send([item(3), item(1), item(2)])).toMatchObject([{ id: 3 }, { id: 1 }, { id: 2 }])
  })

  it('does not fail for one bad item', async () => {
    expect(await send([item(1), 7, { id: 2 }, { ...item(3, 'test_break'), params: [] }, item(4)])).toMatchObject([
      { id: 1, result: 1 },
      { id: null, error: { code: -32600 } },
      { id: 2, error: { code: -32600 } },
      { id: 3, error: { code: -32603 } },
      { id: 4, result: 4 },
    ])
  })

  it('is an invalid request when it is empty', async () => {
    expect(await send([])).toMatchObject({ id: null, error: { code: -32600 } })
  })

  it('is refused whole when it is too long', async () => {
    expect(await send([1, 2, 3, 4, 5, 6].map((id) => item(id, 'test_read')))).toMatchObject({
      id: null,
      error: {
        code: -32005,
        message: 'limit exceeded: a batch of 6 requests; the limit is 5',
        data: { kind: 'LIMIT_EXCEEDED', limit: 5 },
      },
    })
    expect(log).toEqual([])
  })

  it('of notifications is not answered', async () => {
    const notification = { jsonrpc: '2.0', method: 'test_echo', params: [] }
    expect(await answer(JSON.stringify([notification, notification]))).toBeUndefined()
    expect(await send([notification, item(1)])).toMatchObject([{ id: 1 }])
  })

  it('runs reads together', async () => {
    await send([1, 2, 3].map((id) => item(id, 'test_read')))
    expect(log).toEqual(['begin 1', 'begin 2', 'begin 3', 'end 1', 'end 2', 'end 3'])
  })

  it('runs writes one after the other, and reads between them where they stand', async () => {
    await send([
      item(1, 'test_write'),
      item(2, 'test_read'),
      item(3, 'test_read'),
      item(4, 'test_write'),
      item(5, 'test_read'),
    ])
    expect(log).toEqual([
      ...['begin 1', 'end 1'],
      ...['begin 2', 'begin 3', 'end 2', 'end 3'],
      ...['begin 4', 'end 4'],
      ...['begin 5', 'end 5'],
    ])
  })
})

describe('answers that are large', () => {
  const requests = (...calls: [string, unknown[]][]) =>
    JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })))
  const answerWithin = async (limit: number, body: string) =>
    JSON.parse((await textOf(dispatcher.answer(body, { ...anybody, bytes: bytesOf(limit) }))) ?? '')
  const tooLarge = { error: { code: -32005, message: expect.stringContaining('--answer-limit') } }

  it('are refused by themselves, and those that have room are not', async () => {
    const body = requests(['test_text', [600]], ['test_text', [600]], ['test_text', [100]], ['test_nope', []])
    expect(await answerWithin(1000, body)).toMatchObject([
      { id: 0, result: 'x'.repeat(600) },
      { id: 1, ...tooLarge },
      { id: 2, result: 'x'.repeat(100) },
      { id: 3, error: { code: -32601 } },
    ])
  })

  it('are refused when they are what an error carries', async () => {
    const body = requests(['test_revertMuch', [6000]], ['test_revertMuch', [6000]])
    expect(await answerWithin(10_000, body)).toMatchObject([{ error: { code: 3 } }, tooLarge])
  })

  it('are refused when they were counted before they were made', async () => {
    const body = requests(['test_expect', [500]], ['test_expect', [1100]])
    expect(await answerWithin(1000, body)).toMatchObject([{ result: null }, tooLarge])
  })

  it('are answered by an error when nothing can be made of them', async () => {
    const text = await answer(requests(['test_unwritable', []]))
    expect(JSON.parse(text ?? '')).toMatchObject([{ id: 0, error: { code: -32603 } }])
  })
})

it('bounds how many reads of a batch run at a time', async () => {
  const most = { running: 0, atOnce: 0 }
  const counted = defineMethod({
    name: 'test_counted',
    summary: 'Counts those that run.',
    role: 'read',
    params: {},
    result: z.null(),
    example: { params: [], result: null },
    async handler() {
      most.atOnce = Math.max(most.atOnce, ++most.running)
      await new Promise((resolve) => setImmediate(resolve))
      most.running--
      return null
    },
  })
  const many = createDispatcher([counted], {} as Services, {
    batchLimit: 1000,
    callTimeout: 5,
    requestKeys: 100,
    logger: createLogger('silent'),
    createId: () => 'id',
  })
  const body = JSON.stringify(Array.from({ length: 1000 }, (_, id) => ({ id, method: 'test_counted' })))
  expect(JSON.parse((await textOf(many.answer(body, anybody))) ?? '')).toHaveLength(1000)
  expect(most.atOnce).toBe(100)
})

describe('a budget', () => {
  const requestOf = (...methods: string[]) =>
    JSON.stringify(methods.map((method, id) => ({ jsonrpc: '2.0', id, method })))

  it('is one for all requests of a batch, and another for the next message', async () => {
    await answer(requestOf('test_spendReading', 'test_spendReading', 'test_spendWriting'))
    await answer(requestOf('test_spendReading'))
    const [first, second, third, fourth] = budgets
    expect(first?.given).toBe(first?.current)
    expect(second?.given.time).toBe(first?.given.time)
    expect(third?.current?.time).toBe(first?.given.time)
    expect(third?.current?.keys).toBe(first?.given.keys)
    expect(fourth?.given.time).not.toBe(first?.given.time)
  })

  it('belongs to the key, and to the connection where there is none', async () => {
    const body = requestOf('test_spendReading')
    await dispatcher.answer(body, anybody)
    await dispatcher.answer(body, { ...anybody, key: 'k' })
    expect(budgets.map(({ given }) => given.turn)).toEqual([anybody.connection, 'k'])
  })

  it('ends reads when the client is gone, and no write that had begun', async () => {
    const gone = new AbortController()
    const client = { ...anybody, signal: gone.signal }
    const reading = dispatcher.answer(requestOf('test_spendReading', 'test_spendWriting', 'test_spendWriting'), client)
    const writing = dispatcher.answer('{"id":1,"method":"test_spendWriting"}', client)
    gone.abort(clientGone())
    const cancelled = { error: { code: -32005, message: expect.stringContaining('cancelled') } }
    expect(JSON.parse((await textOf(reading)) ?? '')).toMatchObject([{ result: null }, cancelled, cancelled])
    expect(JSON.parse((await textOf(writing)) ?? '')).toMatchObject({ result: null })
    expect(budgets.map(({ current }) => current?.signal.aborted)).toEqual([true, false])
  })
})
