import { createPublicClient, custom, rpcSchema } from 'viem'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createUnderstudyClient } from './createUnderstudyClient.ts'
import { type ExtensionMethod, parameterNames } from './generated/methods.ts'
import type { UnderstudyRpcSchema } from './generated/rpcSchema.ts'

type Entry<Name extends string> = Extract<UnderstudyRpcSchema[number], { Method: Name }>

const address = `0x${'5e'.repeat(20)}` as const
/** What a client sends, as its answer. `tsc` checks the types of the requests. */
const transport = custom({ request: async (request) => request })

describe('the schema of raw requests', () => {
  it('has every method', () => {
    expectTypeOf<UnderstudyRpcSchema[number]['Method']>().toEqualTypeOf<ExtensionMethod>()
  })

  it('has parameters in their order, as JSON', () => {
    expectTypeOf<Entry<'dev_setBalance'>>().toEqualTypeOf<{
      Method: 'dev_setBalance'
      Parameters: [address: `0x${string}`, amount: string | number]
      ReturnType: { address: `0x${string}`; balance: string }
    }>()
    expectTypeOf<Entry<'dev_followSlots'>['Parameters']>().toEqualTypeOf<
      [address: `0x${string}`, slots: (string | number)[]]
    >()
    expect(parameterNames.dev_setBalance).toBe('address amount')
  })

  it('types the requests of a client of viem', async () => {
    const client = createPublicClient({ transport, rpcSchema: rpcSchema<UnderstudyRpcSchema>() })
    const set = () => client.request({ method: 'dev_setBalance', params: [address, '5'] })
    expectTypeOf(set).returns.resolves.toEqualTypeOf<{ address: `0x${string}`; balance: string }>()
    expect(await set()).toEqual({ method: 'dev_setBalance', params: [address, '5'] })
    expectTypeOf(() => client.request({ method: 'eth_chainId' })).returns.resolves.toEqualTypeOf<`0x${string}`>()
    // Parameters that may be left out.
    expect(await client.request({ method: 'dev_getBranches' })).toEqual({ method: 'dev_getBranches' })
    expect(await client.request({ method: 'dev_createBranch', params: [{ name: 'a' }] })).toMatchObject({
      params: [{ name: 'a' }],
    })
  })

  it("types the requests of a client of Understudy, and those of viem's test actions", () => {
    const { request } = createUnderstudyClient({ url: 'http://127.0.0.1:1' })
    expectTypeOf(() => request({ method: 'mock_getWipeSchedule' })).returns.resolves.toHaveProperty('intervalMs')
    expectTypeOf(() => request({ method: 'eth_chainId' })).returns.resolves.toEqualTypeOf<`0x${string}`>()
    expectTypeOf(() => request({ method: 'evm_snapshot' })).returns.resolves.toEqualTypeOf<`0x${string}`>()
    // @ts-expect-error: JSON has no bigints
    expectTypeOf(() => request({ method: 'dev_setBalance', params: [address, 5n] })).toBeFunction()
    // @ts-expect-error: an amount is missing
    expectTypeOf(() => request({ method: 'dev_setBalance', params: [address] })).toBeFunction()
    // @ts-expect-error: there is no such method
    expectTypeOf(() => request({ method: 'dev_setBalances', params: [address, '5'] })).toBeFunction()
  })
})
