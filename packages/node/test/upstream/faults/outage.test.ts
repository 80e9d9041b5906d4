import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  type FaultProxy,
  startAnvil,
  startFaultProxy,
  type TestClient,
} from '@understudy/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'

describe('a network whose upstream goes away', () => {
  let anvil: Anvil
  let live: TestClient
  let proxy: FaultProxy
  let network: TestNetwork
  let counter: Address

  const { abi } = artifacts.Counter
  const upstreamTimeoutMs = 1000
  const stranger: Address = `0x${'57'.repeat(20)}`
  const count = () => network.client.readContract({ address: counter, abi, functionName: 'number' })

  beforeAll(async () => {
    anvil = await startAnvil()
    live = await connectClient(anvil.url)
    counter = await deployContract(live, artifacts.Counter, [5n])
    proxy = await startFaultProxy(anvil.url)
    network = await startNetwork({ forkUrls: [proxy.url], upstreamTimeoutMs })
  })
  afterAll(async () => {
    await network?.stop()
    await proxy?.stop()
    await anvil?.stop()
  })

  it('serves what it knows and what is local, says that the rest cannot be read, and recovers', async () => {
    await network.rpc('dev_setBalance', stranger, '7')
    expect(await count()).toBe(5n)
    await proxy.down()

    expect(await count()).toBe(5n)
    expect(await network.client.getBalance({ address: stranger })).toBe(7n)
    await expect(network.rpc('eth_getBalance', `0x${'99'.repeat(20)}`, 'latest')).rejects.toMatchObject({
      code: -32002,
    })

    const write = { address: counter, abi, functionName: 'setNumber', args: [6n], gas: 100_000n } as const
    await network.client.waitForTransactionReceipt({ hash: await network.client.writeContract(write) })
    expect(await count()).toBe(6n)
    const info = await network.rpc('dev_getNetworkInfo')
    expect(info).toMatchObject({ upstream: { reachable: false } })
    const health = await fetch(`${network.url}/health`)
    expect([health.status, await health.json()]).toMatchObject([
      200,
      { status: 'ready', problems: ['detached from the live chain: it does not answer; known live state is served'] },
    ])

    await proxy.up()
    await eventually(
      () => network.rpc('eth_getBalance', `0x${'99'.repeat(20)}`, 'latest').catch(() => 'away'),
      (balance) => balance === '0x0',
    )
    await live.waitForTransactionReceipt({ hash: await live.sendTransaction({ to: stranger, value: 1n }) })
    const head = Number(await live.getBlockNumber())
    await eventually(
      () => network.rpc<{ base: { number: number }; upstream: { reachable: boolean } }>('dev_getNetworkInfo'),
      ({ base, upstream }) => base.number === head && upstream.reachable,
    )
    expect(await count()).toBe(6n)
    expect(await network.client.getBalance({ address: stranger })).toBe(7n)
  })
})

it('mines transfers of its accounts after its upstream was killed, refuses the rest at once, and goes on', async () => {
  // Started twice, it has the same first block.
  const chain = { args: ['--timestamp', '1700000000'] }
  const anvil = await startAnvil(chain)
  const network = await startNetwork({ forkUrls: [anvil.url] })
  const accounts = await network.rpc<Address[]>('eth_accounts')
  await anvil.stop()

  for (const [index, from] of accounts.entries()) {
    const to = accounts[(index + 1) % accounts.length]
    const receipt = await network.rpc('eth_sendTransactionSync', { from, to, value: '0x1' })
    expect(receipt).toMatchObject({ status: '0x1', from, to })
  }
  const unread = () => network.rpc('eth_getBalance', `0x${'99'.repeat(20)}`, 'latest').catch((error) => error.details)
  const refused = /^upstream unavailable: \S+ refused the connection \(for \d+ s\)/
  await eventually(unread, (answer) => refused.test(answer))

  const back = await startAnvil({ ...chain, port: anvil.port })
  await eventually(unread, (balance) => balance === '0x0')
  const block = await back.rpc<{ number: string; hash: string }>('eth_getBlockByNumber', ['latest', false])
  expect(await network.rpc('dev_getNetworkInfo')).toMatchObject({
    base: { number: Number(block.number), hash: block.hash },
    upstream: { reachable: true },
  })
  await network.stop()
  await back.stop()
}, 60_000)
