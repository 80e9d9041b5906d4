import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startHost } from '../host/startHost.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { isInDatabase } from '../testDatabase.ts'

/** What cannot be read of a live chain that is away is refused after it. One attempt has half of it, also for the rules on a busy machine. */
const upstreamTimeoutMs = 3_000

type Info = { base: { number: number }; upstream: { headSource: string; url: string } }

describe.skipIf(process.platform === 'win32')('a live chain at a local socket', () => {
  let directory: string
  let path: string
  let anvil: Anvil
  let network: TestNetwork | undefined
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'understudy-ipc-'))
    path = join(directory, 'live.ipc')
    anvil = await startAnvil({ args: ['--ipc', path] })
  })
  afterEach(async () => {
    await network?.stop()
    network = undefined
    await anvil.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const info = () => (network as TestNetwork).rpc<Info>('dev_getNetworkInfo')

  it('is read, and followed by subscription', async () => {
    const counter = await deployContract(await connectClient(anvil.url), artifacts.Counter, [7n])
    network = await startNetwork({ forkUrls: [path], pollIntervalMs: 3_600_000 })
    const { client } = network
    const read = { address: counter, abi: artifacts.Counter.abi, functionName: 'number' } as const
    expect(await client.readContract(read)).toBe(7n)
    const { upstream } = await eventually(info, ({ upstream }) => upstream.headSource === 'websocket')
    expect(upstream.url).toBe('ipc:///live.ipc')
    const { base } = await info()
    await anvil.rpc('anvil_mine', ['0x3'])
    await eventually(info, (next) => next.base.number >= base.number + 3)
    const [, second] = testAccounts
    await client.sendTransaction({ to: second.address, value: 1n })
  })

  it('comes back after it was away', async () => {
    const livePath = join(directory, 'ours.ipc')
    const live = await startNetwork({ ipc: livePath })
    try {
      network = await startNetwork({ forkUrls: [`ipc://${livePath}`], upstreamTimeoutMs })
      await eventually(info, ({ upstream }) => upstream.headSource === 'websocket')
      await live.node.stop()
      await eventually(info, ({ upstream }) => upstream.headSource === 'polling')
      const unread = '0x00000000000000000000000000000000000000aa'
      await expect(network.rpc('eth_getBalance', unread, 'latest')).rejects.toThrow('upstream unavailable')
      await live.restart()
      await live.rpc('dev_setBalance', unread, '7')
      await live.rpc('anvil_mine', '0x2')
      await eventually(
        () => (network as TestNetwork).rpc('eth_getBalance', unread, 'latest').catch(() => undefined),
        (balance) => balance === '0x7',
      )
      await eventually(info, ({ upstream }) => upstream.headSource === 'websocket')
    } finally {
      await live.stop()
    }
  })

  it('is named by the configuration only: clients cannot make the network open files', async () => {
    const other = join(directory, 'other.ipc')
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(other, resolve))
    network = await startNetwork({ forkUrls: [path] })
    for (const jsonRpcUrl of [other, `ipc://${other}`, `file://${other}`, `IPC://${other}`, ` ipc:${other}`]) {
      await expect(network.rpc('anvil_reset', { forking: { jsonRpcUrl } })).rejects.toThrow()
      await expect(network.rpc('anvil_setRpcUrl', jsonRpcUrl)).rejects.toThrow()
    }
    // A network that several nodes share refuses to restart elsewhere.
    if (!isInDatabase) await network.rpc('anvil_reset', { forking: { jsonRpcUrl: `ipc://${path}` } })
    const host = await startHost({ options: {}, networks: {} })
    for (const url of [other, `ipc://${other}`, `file://${other}`])
      await expect(
        host.rpc('', 'dev_createNetwork', [{ name: 'x', options: { 'fork-url': url } }]),
      ).rejects.toMatchObject({ message: expect.stringContaining('calls name no local sockets') })
    await host.stop()
    expect(connections).toBe(0)
    await new Promise((resolve) => server.close(resolve))
  })

  it('is not there', async () => {
    const forkUrls = [join(directory, 'nothing.ipc')]
    await expect(startNetwork({ forkUrls, upstreamTimeoutMs })).rejects.toThrow('is a local socket that is not there')
  })
})
