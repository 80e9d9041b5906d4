import { type Anvil, type Faults, failures, startAnvil, startFaultProxy } from '@understudy/testkit'
import { type Address, pad, toHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork } from '../../startNetwork.ts'

const strangers = Array.from({ length: 150 }, (_, index): Address => pad(toHex(0x5_000_000 + index), { size: 20 }))
const balanceOf = (index: number) => toHex(1_000 + index)

let anvil: Anvil
/** Calls that the reads take when nothing fails. Into how many HTTP requests they go depends on when they come. */
let wholeCalls: number

beforeAll(async () => {
  anvil = await startAnvil()
  await Promise.all(strangers.map((address, index) => anvil.rpc('anvil_setBalance', [address, balanceOf(index)])))
  wholeCalls = (await readAll()).calls
})
afterAll(() => anvil.stop())

/** Ten clients of a new network read 15 balances each, one after the other. Throws if a read fails. */
async function readAll(faults: Faults = {}) {
  const proxy = await startFaultProxy(anvil.url, { seed: 7 })
  const network = await startNetwork({ forkUrls: [proxy.url], pollIntervalMs: 60_000 })
  try {
    proxy.resetStats()
    proxy.set(faults)
    const times: number[] = []
    const client = async (_: unknown, first: number) => {
      for (let index = first; index < strangers.length; index += 10) {
        const started = performance.now()
        const balance = await network.rpc('eth_getBalance', strangers[index], 'latest')
        times.push(performance.now() - started)
        expect(balance).toBe(balanceOf(index))
      }
    }
    await Promise.all(Array.from({ length: 10 }, client))
    times.sort((a, b) => a - b)
    return { p95: times[Math.floor(times.length * 0.95)] as number, calls: proxy.stats().calls }
  } finally {
    await network.stop()
    await proxy.stop()
  }
}

it.each([
  { fault: '503 for 40 % of the requests', share: 0.4, refusal: failures.unavailable },
  { fault: 'a reset connection for 20 %', share: 0.2, refusal: failures.reset },
  { fault: '429 with Retry-After for 30 %', share: 0.3, refusal: failures.retryAfter },
])('$fault: no read fails, 95 of 100 take less than 2 s, and calls are at most doubled', async ({ share, refusal }) => {
  const { p95, calls } = await readAll({ sometimes: [{ share, refusal }] })
  expect(p95).toBeLessThan(2_000)
  expect(calls).toBeLessThanOrEqual(2 * wholeCalls)
})
