import { type Anvil, type FaultProxy, startAnvil, startFaultProxy } from '@understudy/testkit'
import { type Address, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../../runCommand.ts'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'

const blocks = 32
let live: Anvil
let proxy: FaultProxy
let network: TestNetwork

beforeAll(async () => {
  live = await startAnvil()
  const [from, to] = await live.rpc<Address[]>('eth_accounts')
  for (let sent = 0; sent < blocks; sent++) {
    await live.rpc('eth_sendTransaction', [{ from, to, value: '0x1' }])
    await live.rpc('evm_mine', [])
  }
  proxy = await startFaultProxy(live.url)
  network = await startNetwork({ forkUrls: [proxy.url], followHead: false })
})
afterAll(async () => {
  await network?.stop()
  await proxy?.stop()
  await live?.stop()
})

const cancelledCount = async () => {
  const text = await (await fetch(`${network.url}/metrics`)).text()
  const [, count = '0'] =
    /understudy_requests_total\{method="dev_forecast",outcome="REQUEST_CANCELLED"\} (\d+)/.exec(text) ?? []
  return Number(count)
}
let account = 0

/** Each asks for all blocks, and answers how to leave. */
const clients: Record<string, () => () => void> = {
  'whose client has gone'() {
    const leaving = new AbortController()
    const params = [{ hardfork: 'amsterdam', fromBlock: 1, blocks }]
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'dev_forecast', params })
    fetch(network.url, { method: 'POST', body, signal: leaving.signal }).catch(() => {})
    return () => leaving.abort()
  },
  'of a command that was interrupted'() {
    const range = `1..${blocks}`
    const { child, ended } = runCommand(['forecast', '--rpc-url', network.url, '--blocks', range], process.cwd())
    ended.catch(() => {})
    return () => child.kill('SIGINT')
  },
}

/** Requests for blocks and heads that arrived. */
const arrived = () => proxy.stats().byMethod.eth_getBlockByNumber ?? 0

it.each(Object.entries(clients))('a forecast %s ends, and asks the live chain for nothing more', async (_, start) => {
  const before = await cancelledCount()
  proxy.resetStats()
  const loaded: unknown[] = []
  proxy.set({
    answer: ({ params }) => {
      const [number, isWhole] = params as unknown[]
      if (isWhole === true) loaded.push(number)
      return undefined
    },
  })
  const release = proxy.hold()
  const leave = start()
  await eventually(
    async () => arrived(),
    (count) => count >= 4,
  )
  leave()
  await eventually(cancelledCount, (count) => count === before + 1)
  release()
  // Whoever asks next has its answer after those that the forecast waited for.
  for (let asked = 0; asked < 60; asked++)
    await network.rpc<Hex>('eth_getBalance', numberToHex(0xacc0_0000 + account++, { size: 20 }))
  // Those that were asked for together.
  expect(loaded.length).toBeLessThanOrEqual(4)
})
