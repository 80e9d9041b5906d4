import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil, startFaultProxy, startUnderstudy } from '@understudy/testkit'
import { eventually } from '../../shared/eventually.ts'
import { type ProcessFigures, readProcess } from '../../shared/processFigures.ts'
import { defineScenario } from '../../shared/scenario.ts'
import { startLiveTraffic } from '../kill/liveTraffic.ts'
import { rpcOf } from '../kill/rpc.ts'
import { Bystanders, stateOf } from './bystanders.ts'
import { createHostName } from './hostName.ts'
import { troubles } from './troubles.ts'
import { startWire } from './wire.ts'

/** Milliseconds that a request waits for upstream. */
const timeoutMs = 2_000
/** An upstream of another chain is asked again after half a minute. */
const convergeLimitMs = 90_000

/** Whatever happens between the network and the live chain, the network serves, and agrees with the live chain afterwards. */
export const upstream = defineScenario({
  name: 'chaos upstream',
  summary:
    'Faults between the network and the live chain: it serves what it has, refuses the rest clearly, and converges.',
  /** `only` names some kinds of trouble, between commas. */
  options: { rounds: 100, troubleMs: 3_000, only: '' },
  async run({ random, options: { rounds, troubleMs, only }, figures, print }) {
    const anvil = await startAnvil({ blockTime: 1 })
    // More blocks than all rollbacks and reorgs take away.
    await anvil.rpc('anvil_mine', [rounds * 4])
    const traffic = await startLiveTraffic(anvil)
    const { reader } = traffic.contracts
    const proxy = await startFaultProxy(anvil.url)
    const wire = await startWire(proxy.port, anvil.port)
    const hostName = createHostName()
    const directory = mkdtempSync(join(tmpdir(), 'understudy-upstream-'))
    const forkUrl = `http://${hostName?.name ?? '127.0.0.1'}:${wire.port}`
    const args = ['--fork-url', forkUrl, '--data-dir', directory, '--upstream-timeout', String(timeoutMs)]
    const options = {
      wrapper: hostName?.wrapper ?? [],
      // A small heap, so that memory shows what is retained, not what is uncollected.
      environment: { NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=4' },
    }
    let network = await startUnderstudy(args, options)
    const { port } = new URL(network.url)
    const rpc = rpcOf(network.url)
    /** Kills the network and restarts it on the same port and directory: everything that was answered must be stored. */
    async function restart(): Promise<void> {
      await over()
      await network.end('SIGKILL')
      const started = Date.now()
      network = await startUnderstudy([...args, '--port', port], options)
      figures.raise('longest start ms', Date.now() - started)
      over = bystanders.begin()
    }
    const bystanders = new Bystanders({ rpc, reader, random, figures, timeoutMs })
    let over = async () => {}
    const held: ProcessFigures[] = []
    const names = Object.keys(troubles).filter((name) => (only ? only.split(',').includes(name) : true))

    /** While the live chain mines nothing, the network's base is its head, and both read the same state. */
    async function mustConverge(): Promise<void> {
      await anvil.rpc('evm_setIntervalMining', [0])
      const started = Date.now()
      await eventually(async () => {
        const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
        const { base } = await rpc<{ base: { hash: string } }>('dev_getNetworkInfo')
        assert.equal(base.hash, hash, 'it does not stand on the head of the live chain')
        const ofAnvil = await stateOf((method, ...params) => anvil.rpc(method, params), reader)
        assert.deepEqual(await stateOf(rpc, reader), ofAnvil)
      }, convergeLimitMs)
      figures.raise('longest way back ms', Date.now() - started)
      await anvil.rpc('evm_setIntervalMining', [1])
    }

    try {
      await bystanders.prepare()
      for (let round = 0; round < rounds; round++) {
        // Every kind happens once before one is repeated.
        const name = names[round % names.length] as string
        over = bystanders.begin()
        try {
          const end = await troubles[name]?.({ anvil, proxy, wire, hostName, random, restart })
          await new Promise((resolve) => setTimeout(resolve, random.below(troubleMs)))
          await end?.()
          await over()
          await mustConverge()
          await bystanders.check()
        } catch (error) {
          throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
        }
        figures.add('troubles')
        held.push(readProcess(network.process.pid as number))
        const { residentMegabytes, files, sockets } = held.at(-1) as ProcessFigures
        print(`${round + 1} ${name}: ${residentMegabytes} MB resident, ${files} files, ${sockets} of them sockets`)
      }
      requireNoLeak(held)
    } finally {
      const { stderr } = await network.end()
      if (stderr.includes('Failed unexpectedly')) print(stderr)
      await traffic.stop()
      await wire.stop()
      await proxy.stop()
      await anvil.stop()
      hostName?.remove()
      rmSync(directory, { recursive: true, force: true })
    }
  },
})

/** SQLite's page cache, which fills as the file grows. */
const pageCacheMegabytes = 64

/** Retained memory does not grow from the first half to the second. */
function requireNoLeak(held: readonly ProcessFigures[]): void {
  const half = held.length >> 1
  const most = (part: readonly ProcessFigures[], key: keyof ProcessFigures) => Math.max(...part.map((it) => it[key]))
  const [before, after] = [held.slice(0, half), held.slice(half)]
  if (half < 10) return
  for (const key of ['files', 'sockets'] as const)
    assert(most(after, key) <= most(before, key) + 10, `${key} grow: ${most(before, key)} → ${most(after, key)}`)
  const [first, second] = [most(before, 'residentMegabytes'), most(after, 'residentMegabytes')]
  assert(second <= first * 1.1 + pageCacheMegabytes, `memory grows: ${first} → ${second} MB`)
}
