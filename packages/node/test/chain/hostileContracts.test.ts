import { artifacts, type DeployableArtifact, deployContract } from '@understudy/testkit'
import { type Address, encodeFunctionData, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

/** A function that a bad contract has, and what a call of it with all the gas that it may have ends in. */
const calls: [string, DeployableArtifact, string, unknown[], RegExp][] = [
  ['loops', artifacts.Looper, 'spin', [], /out of gas/],
  ['writes without end', artifacts.Looper, 'write', [], /out of gas/],
  ['logs without end', artifacts.Looper, 'log', [], /out of gas/],
  ['doubles its memory without end', artifacts.MemoryBomb, 'expand', [], /out of gas/],
  ['touches memory at the end of the world', artifacts.MemoryBomb, 'far', [], /out of gas/],
  ['returns more than there is gas for', artifacts.MemoryBomb, 'returnMuch', [2n ** 63n], /out of gas/],
]

describe('a contract that means harm', () => {
  let network: TestNetwork
  const deployed = new Map<DeployableArtifact, Address>()
  const call = (artifact: DeployableArtifact, functionName: string, args: unknown[], gas?: bigint) =>
    network.rpc<string>('eth_call', {
      to: deployed.get(artifact),
      data: encodeFunctionData({ abi: artifact.abi, functionName, args }),
      ...(gas !== undefined && { gas: numberToHex(gas) }),
    })

  beforeAll(async () => {
    network = await startNetwork({ callTimeout: 2 })
    for (const artifact of [artifacts.Looper, artifacts.Recursor, artifacts.MemoryBomb])
      deployed.set(artifact, await deployContract(network.client, artifact))
  })
  afterAll(() => network?.stop())

  it.each(calls)('%s: out of gas, and others are answered', async (_, artifact, name, args, message) => {
    const number = () => network.client.getBlockNumber({ cacheTime: 0 })
    const before = await number()
    const others = number()
    await expect(call(artifact, name, args)).rejects.toThrow(message)
    expect(await others).toBe(before)
    expect(await number()).toBe(before)
  })

  it('recurses: ends where the gas or the depth does', async () => {
    const deepest = BigInt(await call(artifacts.Recursor, 'dive', [0n]))
    expect(deepest).toBeGreaterThan(100n)
    expect(deepest).toBeLessThanOrEqual(1024n)
    expect(await call(artifacts.Recursor, 'fork', [40n])).toBe('0x')
  })

  it('answers a megabyte, as data or as a reason', async () => {
    const size = 2n ** 20n
    expect((await call(artifacts.MemoryBomb, 'returnMuch', [size])).length).toBe(2 + 2 * Number(size))
    await expect(call(artifacts.MemoryBomb, 'revertMuch', [size])).rejects.toMatchObject({ code: 3 })
  })

  it('cannot ask for more gas than a call may have', async () => {
    await expect(call(artifacts.Looper, 'spin', [], 2n ** 63n)).rejects.toThrow(/out of gas/)
  })

  it('spends its own gas in a block, which is sealed all the same', async () => {
    const hash = await network.client.writeContract({
      address: deployed.get(artifacts.Looper) as Address,
      abi: artifacts.Looper.abi,
      functionName: 'write',
      gas: 10_000_000n,
    })
    expect(await network.client.waitForTransactionReceipt({ hash })).toMatchObject({
      status: 'reverted',
      gasUsed: 10_000_000n,
    })
  })

  describe('and computes for long with little gas', () => {
    /** Calls the precompile that maps to points of BLS12-381 (EIP-2537), without end: it computes long for its gas. */
    const mapper: Address = '0x00000000000000000000000000000000000c0de5'
    const request = { to: mapper }
    const tooLong = /execution aborted \(timeout = 2s\)/
    beforeAll(() => network.rpc('dev_setCode', mapper, '0x5b5f5f60805f60115afa50600056'))

    it.each<[string, unknown[], RegExp]>([
      ['eth_call', [request, 'latest'], tooLong],
      ['eth_createAccessList', [request, 'latest'], tooLong],
      ['eth_simulateV1', [{ blockStateCalls: Array(10).fill({ calls: [request] }) }, 'latest'], tooLong],
      ['debug_traceCall', [request, 'latest', { tracer: 'callTracer' }], tooLong],
      ['debug_traceCall', [request, 'latest', { timeout: '100ms' }], /timeout = 0.1s/],
      ['trace_call', [request, ['trace'], 'latest'], tooLong],
    ])('%s is ended, and others are answered', async (method, params, message) => {
      await expect(network.rpc(method, ...params)).rejects.toThrow(message)
      expect(await network.client.getBlockNumber()).toBeGreaterThan(0n)
    })

    it('does not stop a block of its own, nor a tracked item that reads it', async () => {
      const functionAbi = 'function f() view returns (uint256)'
      const item = { address: mapper, name: 'slow', type: 'function-result', functionAbi }
      const { id } = await network.rpc<{ id: string }>('dev_addTrackedData', item)
      const hash = await network.client.sendTransaction({ to: mapper, gas: 1_000_000n })
      expect(await network.client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'reverted' })
      const [tracked] = await network.rpc<{ id: string; lastError?: string }[]>('dev_getTrackedData')
      // On a busy machine, the time of a block's items may be over before.
      const ended = /computes for more than 250 ms|may compute for 500 ms/
      expect(tracked).toMatchObject({ id, lastError: expect.stringMatching(ended) })
      await network.rpc('dev_removeTrackedData', id)
    })
  })

  it('leaves the memory of the process as it was', async () => {
    const before = process.memoryUsage().rss
    for (let round = 0; round < 10; round++)
      for (const [, artifact, name, args] of calls) await call(artifact, name, args).catch(() => {})
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20)
  })
})
