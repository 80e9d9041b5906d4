import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  type FaultProxy,
  startAnvil,
  startFaultProxy,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const zero = `0x${'00'.repeat(20)}`
/** Returns BALANCE(0). */
const reader: Address = `0x${'c0de'.repeat(10)}`
const data = encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'number' })

let anvil: Anvil
let proxy: FaultProxy
let network: TestNetwork
let counter: Address
beforeAll(async () => {
  anvil = await startAnvil()
  counter = (await deployContract(await connectClient(anvil.url), artifacts.Counter, [7n])).toLowerCase() as Address
  await anvil.rpc('anvil_setCode', [reader, '0x5f315f5260205ff3'])
  await anvil.rpc('evm_mine', [])
  proxy = await startFaultProxy(anvil.url)
  // A node that cannot read one account.
  proxy.set({
    answer: ({ params }) =>
      params?.[0] === zero ? { error: { code: -32000, message: 'this account is not served' } } : undefined,
  })
  network = await startNetwork({ forkUrls: [proxy.url] })
})
afterAll(async () => {
  await network?.stop()
  await proxy?.stop()
  await anvil?.stop()
})

const rpc = <T = unknown>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)

describe('where the zero address cannot be read', () => {
  const request = () => ({ to: counter, data })

  it('a call without a sender that pays nothing is answered', async () => {
    const result = pad('0x7', { size: 32 })
    expect(await rpc('eth_call', request(), 'latest')).toBe(result)
    expect(await rpc('eth_call', { ...request(), from: zero, gas: '0x186a0' }, 'latest')).toBe(result)
    expect(Number(await rpc<Hex>('eth_estimateGas', request()))).toBeGreaterThan(21_000)
    expect(await rpc('eth_createAccessList', request(), 'latest')).toMatchObject({
      accessList: [{ address: counter, storageKeys: [pad('0x0', { size: 32 })] }],
    })
    expect(await rpc('debug_traceCall', request(), 'latest', {})).toMatchObject({ failed: false })
    expect(await rpc('debug_traceCall', request(), 'latest', { tracer: 'callTracer' })).toMatchObject({
      output: result,
    })
    expect(await rpc('trace_call', request(), ['trace'], 'latest')).toMatchObject({ output: result })
    expect(
      await rpc('eth_simulateV1', { blockStateCalls: [{ calls: [request(), request()] }] }, 'latest'),
    ).toMatchObject([{ calls: [{ returnData: result }, { returnData: result }] }])
    const bundles = [{ transactions: [request()] }]
    expect(await rpc('eth_callMany', bundles, { blockNumber: 'latest' })).toEqual([[{ value: result }]])
  })

  it('what needs its account says so', async () => {
    const refused = { details: expect.stringContaining('this account is not served') }
    await expect(rpc('eth_call', { to: reader }, 'latest')).rejects.toMatchObject(refused)
    await expect(rpc('eth_call', { ...request(), value: '0x1' }, 'latest')).rejects.toMatchObject(refused)
    await expect(rpc('eth_call', { ...request(), gasPrice: '0x2540be400' }, 'latest')).rejects.toMatchObject(refused)
    await expect(rpc('eth_call', { data: '0x00' }, 'latest')).rejects.toMatchObject(refused)
    await expect(rpc('eth_getBalance', zero, 'latest')).rejects.toMatchObject(refused)
  })
})
