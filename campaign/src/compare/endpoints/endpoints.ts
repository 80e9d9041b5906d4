import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Anvil,
  endpoints,
  postJsonRpc,
  providers,
  startAnvil,
  startFaultProxy,
  startUnderstudy,
} from '@understudy/testkit'
import { defineScenario } from '../../shared/scenario.ts'

/** How many reads are in flight at a time. */
const atATime = 10
/** Maximum time to start, in milliseconds. */
const startMs = 30_000

type Fork = { url: string; stop(): Promise<unknown> }
type Outcome = { failed: number; wrong: number; requests: number; ms: number } | 'does not start'

/** Networks forked from each endpoint as it is really served, beside anvil's: reads that fail, and what they cost. */
export const endpointsScenario = defineScenario({
  name: 'compare endpoints',
  summary: 'Reads through endpoints that fail, limit and lag as providers do: none fails, and how anvil fares beside.',
  /** `only` is a part of the names of endpoints. */
  options: { reads: 150, only: '' },
  async run({ options: { reads, only }, figures, print }) {
    const live = await startAnvil()
    try {
      const addresses = Array.from(
        { length: reads },
        (_, index) => `0x${(0x5_000_000 + index).toString(16).padStart(40, '0')}`,
      )
      const expected = addresses.map((_, index) => `0x${(index + 1_000).toString(16)}`)
      for (const [index, address] of addresses.entries()) await live.rpc('anvil_setBalance', [address, expected[index]])
      await live.rpc('anvil_mine', ['0x10'])
      const faulty: string[] = []
      for (const [name, faults] of [...Object.entries(endpoints), ...Object.entries(providers)]) {
        if (!name.includes(only)) continue
        const row: Record<string, Outcome> = {}
        for (const [who, start] of Object.entries(forks)) {
          const proxy = await startFaultProxy(live.url)
          proxy.set(faults)
          row[who] = await readAll(() => start(proxy.url), addresses, expected).then((outcome) =>
            outcome === 'does not start' ? outcome : { ...outcome, requests: proxy.stats().requests },
          )
          await proxy.stop()
        }
        print(
          `${name}: ${Object.entries(row)
            .map(([who, outcome]) => `${who} ${textOf(outcome)}`)
            .join('; ')}`,
        )
        const { understudy } = row
        if (understudy === 'does not start' || !understudy || understudy.failed + understudy.wrong > 0)
          faulty.push(name)
        figures.add('endpoints')
        if (row.anvil === 'does not start' || (row.anvil?.failed ?? 0) > 0) figures.add('endpoints where anvil fails')
      }
      if (faulty.length > 0) throw new Error(`reads failed with ${faulty.join(', ')}`)
    } finally {
      await live.stop()
    }
  },
})

const forks: Record<string, (url: string) => Promise<Fork>> = {
  understudy: async (url) => {
    const directory = mkdtempSync(join(tmpdir(), 'understudy-endpoints-'))
    const network = await startUnderstudy(['--fork-url', url, '--data-dir', directory])
    return {
      url: network.url,
      async stop() {
        await network.end()
        rmSync(directory, { recursive: true, force: true })
      },
    }
  },
  anvil: async (url) => {
    const fork: Anvil = await startAnvil({ args: ['--fork-url', url] })
    return { url: fork.url, stop: () => fork.stop() }
  },
}

async function readAll(
  start: () => Promise<Fork>,
  addresses: readonly string[],
  expected: readonly string[],
): Promise<Outcome> {
  const startedAt = performance.now()
  const late = sleep(startMs, undefined, { ref: false })
  const fork = await Promise.race([start().catch(() => undefined), late])
  if (!fork) return 'does not start'
  let [failed, wrong] = [0, 0]
  for (let from = 0; from < addresses.length; from += atATime)
    await Promise.all(
      addresses.slice(from, from + atATime).map(async (address, index) => {
        try {
          if ((await postJsonRpc(fork.url, 'eth_getBalance', [address, 'latest'])) !== expected[from + index]) wrong++
        } catch {
          failed++
        }
      }),
    )
  await fork.stop()
  return { failed, wrong, requests: 0, ms: performance.now() - startedAt }
}

function textOf(outcome: Outcome): string {
  if (outcome === 'does not start') return outcome
  const { failed, wrong, requests, ms } = outcome
  return `${failed} failed, ${wrong} wrong, ${requests} requests, ${(ms / 1000).toFixed(1)} s`
}
