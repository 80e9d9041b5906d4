import { artifacts, deployContract, testAccounts } from '@understudy/testkit'
import { Contract, JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

let network: TestNetwork
let counter: `0x${string}`
const { abi } = artifacts.Counter
const [alice, bob] = testAccounts
beforeAll(async () => {
  network = await startNetwork()
  counter = await deployContract(network.client, artifacts.Counter, [0n])
})
afterAll(() => network.stop())

const increment = () => network.client.writeContract({ address: counter, abi, functionName: 'increment' })
const changes = <T = Record<string, unknown>>(id: string) => network.rpc<T[]>('eth_getFilterChanges', id)

describe('filters', () => {
  it('of logs tell the new ones that match, and take them back', async () => {
    await increment()
    const id = await network.rpc<string>('eth_newFilter', { address: counter, fromBlock: '0x0' })
    const snapshot = await network.rpc('evm_snapshot')
    const hash = await increment()
    await network.client.sendTransaction({ to: bob.address, value: 1n })
    const [log, ...more] = await changes(id)
    expect([log, more]).toMatchObject([{ transactionHash: hash, removed: false }, []])
    await network.rpc('evm_revert', snapshot)
    expect(await changes(id)).toEqual([{ ...log, removed: true }])
    expect(await network.rpc('eth_getFilterLogs', id)).toEqual(
      await network.rpc('eth_getLogs', { address: counter, fromBlock: '0x0' }),
    )
    expect(await network.rpc('eth_uninstallFilter', id)).toBe(true)
    expect(await network.rpc('eth_uninstallFilter', id)).toBe(false)
    await expect(changes(id)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('filter not found'),
    })
  })

  it('of blocks and of the pool tell hashes', async () => {
    const blocks = await network.rpc<string>('eth_newBlockFilter')
    const pool = await network.rpc<string>('eth_newPendingTransactionFilter')
    const whole = await network.rpc<string>('eth_newPendingTransactionFilter', true)
    const hash = await network.client.sendTransaction({ to: bob.address, value: 1n })
    const { blockHash } = await network.client.getTransactionReceipt({ hash })
    expect([await changes(blocks), await changes(pool), await changes(whole)]).toMatchObject([
      [blockHash],
      [hash],
      [{ hash, from: alice.address.toLowerCase(), blockHash: null }],
    ])
    await expect(network.rpc('eth_getFilterLogs', blocks)).rejects.toMatchObject({ code: -32602 })
  })

  it('serve ethers over HTTP', async () => {
    const provider = new JsonRpcProvider(network.url, undefined, { cacheTimeout: -1, pollingInterval: 20 })
    const events: string[] = []
    await new Contract(counter, abi as never, provider).on('Increased', (...args) =>
      events.push(args.at(-1).log.transactionHash),
    )
    await eventually(async () => network.node.services.chainEvents.isHeard('logsRemoved'), Boolean)
    const hash = await increment()
    // ethers asks its filters when it sees a new block, and takes the first that it sees for an old one.
    await eventually(
      async () => {
        await network.client.mine({ blocks: 1 })
        return events
      },
      ({ length }) => length > 0,
    )
    expect(events).toEqual([hash])
    provider.destroy()
  })

  it('serve viem over HTTP, which creates them again when they are forgotten', async () => {
    const seen: string[] = []
    const before = network.node.services.filters
    const stop = network.client.watchEvent({
      address: counter,
      onLogs: (logs) => seen.push(...logs.map((log) => log.transactionHash)),
    })
    await eventually(async () => network.node.services.chainEvents.isHeard('logsRemoved'), Boolean)
    const first = await increment()
    await eventually(
      async () => seen,
      ({ length }) => length === 1,
    )
    await network.restart({ port: Number(new URL(network.url).port) })
    expect(network.node.services.filters).not.toBe(before)
    await eventually(async () => network.node.services.chainEvents.isHeard('logsRemoved'), Boolean)
    const second = await increment()
    await eventually(
      async () => seen,
      ({ length }) => length === 2,
    )
    expect(seen).toEqual([first, second])
    stop()
  })
})
