import { InvalidParamsRpcError, RpcRequestError } from 'viem'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { call, type UnderstudyActions, understudyActions } from './actions.ts'
import { answeredError } from './answeredError.ts'
import { errorKind } from './errorData.ts'
import { extensionMethods } from './generated/methods.ts'

/** A client that answers what it was asked. */
const echo = { request: async (request: unknown) => request } as never

describe('the actions', () => {
  it('are one for each method, named as it is', () => {
    const actions = understudyActions(echo) as unknown as Record<string, Record<string, unknown>>
    const names = Object.entries(actions).flatMap(([space, each]) =>
      Object.keys(each).map((name) => `${space}_${name}`),
    )
    expect(names).toEqual([...extensionMethods])
  })

  it('take one object, and send parameters in their order', async () => {
    const { dev, mock } = understudyActions(echo)
    const sent = (method: string, ...params: unknown[]) => ({ method, params })
    expect(await dev.setBalance({ amount: 5n, address: '0xaa' })).toEqual(sent('dev_setBalance', '0xaa', '5'))
    expect(await dev.getBranches()).toEqual(sent('dev_getBranches'))
    expect(await dev.getCoverage()).toEqual(sent('dev_getCoverage'))
    expect(await dev.getCoverage({ address: undefined })).toEqual(sent('dev_getCoverage'))
    expect(await dev.createBranch({ name: 'a' })).toEqual(sent('dev_createBranch', { name: 'a' }))
    expect(await dev.getSlotHistory({ limit: 2, slot: 1n, address: '0xaa' })).toEqual(
      sent('dev_getSlotHistory', '0xaa', '1', { limit: 2 }),
    )
    expect(await dev.compareBranches({ a: 'x', limit: 2 })).toEqual(
      sent('dev_compareBranches', 'x', undefined, { limit: 2 }),
    )
    expect(await mock.setWipeSchedule({ intervalMs: null })).toEqual(sent('mock_setWipeSchedule', { intervalMs: null }))
  })

  it('refuse what is no parameter of theirs, and parameters in their order', async () => {
    const { dev } = understudyActions(echo) as unknown as { dev: Record<string, (...params: unknown[]) => unknown> }
    await expect(dev.setBalance?.({ address: '0xaa', wei: 1n })).rejects.toThrow(
      'dev_setBalance takes { address, amount }, not wei',
    )
    await expect(dev.setBalance?.('0xaa', 1n)).rejects.toThrow('dev_setBalance takes { address, amount }, not 0')
    await expect(dev.createBranch?.('a')).rejects.toThrow('dev_createBranch takes { ... }, not string')
    await expect(dev.getBranches?.({ limit: 1 })).rejects.toThrow('dev_getBranches takes nothing, not limit')
  })

  it('send bigints in decimal digits, however deep', async () => {
    const sent = await call(echo, 'dev_followSlots', '0xaa', [1n, '2', 2n ** 200n])
    expect(sent).toEqual({ method: 'dev_followSlots', params: ['0xaa', ['1', '2', (2n ** 200n).toString()]] })
  })

  it('have the types of the reference', () => {
    expectTypeOf<Parameters<UnderstudyActions['dev']['setBalance']>>().toEqualTypeOf<
      [parameters: { address: `0x${string}`; amount: string | number | bigint }]
    >()
    expectTypeOf<ReturnType<UnderstudyActions['dev']['setBalance']>>().resolves.toEqualTypeOf<{
      address: `0x${string}`
      balance: string
    }>()
    expectTypeOf<Parameters<UnderstudyActions['mock']['wipeLocalState']>['length']>().toEqualTypeOf<0 | 1>()
  })
})

describe('the kind of an error', () => {
  it('is found below the errors that wrap it', () => {
    const inner = Object.assign(new Error('x'), { code: -32001, data: { kind: 'NOT_FOUND' } })
    expect(errorKind(new Error('y', { cause: new Error('z', { cause: inner }) }))).toBe('NOT_FOUND')
  })

  it('is undefined for what the network did not say', () => {
    for (const error of [undefined, null, 'x', new Error('x'), { data: '0x08c379a0' }])
      expect(errorKind(error)).toBeUndefined()
  })
})

describe('the error that the network answered', () => {
  it("is found below viem's own", () => {
    const error = { code: -32602, message: 'params[0]: is empty', data: { kind: 'INVALID_PARAMS' } }
    const thrown = new RpcRequestError({ body: {}, error, url: 'http://127.0.0.1' })
    expect(answeredError(new InvalidParamsRpcError(thrown))).toEqual(error)
  })

  it('is undefined where none came', () => {
    for (const error of [undefined, new Error('x'), { code: -32602, message: 'x' }])
      expect(answeredError(error)).toBeUndefined()
  })
})
