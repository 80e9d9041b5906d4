import { setMaxListeners } from 'node:events'
import { defineScenario, type ScenarioRun } from '../../shared/scenario.ts'
import { startTarget, type Target } from '../target.ts'
import { loads as heavyLoads, type Load } from './loads.ts'
import { type Neighbour, startNeighbour } from './neighbour.ts'
import { simulationLoads } from './simulationLoads.ts'
import { sourceLoads } from './sourceLoads.ts'

type Run = ScenarioRun<{ only: string; loads: number; seconds: number; readLimitMs: number; transferLimitMs: number }>

const loads = [...heavyLoads, ...sourceLoads, ...simulationLoads]

/** How long the neighbour is alone first: what it waits then is the machine's. */
const quietMs = 1_500

/** What the process may hold at the most under any of the loads. */
const residentLimitMb = 3_000

/** One client sends heavy requests; another measures how long it waits. */
export const neighbours = defineScenario({
  name: 'fuzz neighbours',
  summary: 'Heavy requests of one client: another one reads within 250 ms (99th percentile) and transfers within 2 s.',
  options: { only: '', loads: loads.length, seconds: 8, readLimitMs: 250, transferLimitMs: 2000 },
  async run(run) {
    const { random, options } = run
    const named = loads.filter(({ name }) => name.includes(options.only))
    const chosen = named.length <= options.loads ? named : [...named].sort(() => random.next() - 0.5)
    const faults: string[] = []
    for (const load of chosen.slice(0, options.loads)) {
      const fault = await stand(run, load)
      run.figures.add('loads')
      if (fault !== undefined) faults.push(`${load.name}: ${fault}`)
    }
    if (faults.length > 0) throw new Error(`Neighbours waited too long:\n${faults.join('\n')}`)
  },
})

/** Runs one load on its own network. Returns how the other client exceeded the limits. */
async function stand({ options, figures, print }: Run, load: Load): Promise<string | undefined> {
  const target = await startTarget({ forked: true }, ['--hardfork', 'prague', ...(load.flags ?? [])])
  let neighbour: Neighbour | undefined
  try {
    await load.prepare?.(target.url)
    neighbour = await startNeighbour(target.url)
    await new Promise((resolve) => setTimeout(resolve, quietMs))
    const quiet = percentile((await neighbour.waits()).reads, 0.99)
    const { reads, transfers, residentMb } = await underLoad(target, load, options.seconds, neighbour)
    const [read, transfer] = [percentile(reads, 0.99), Math.max(...transfers)]
    const row = `eth_chainId p99 ${read.toFixed(0)} ms (${quiet.toFixed(0)} ms before), longest ${Math.max(...reads).toFixed(0)} ms, longest transfer ${transfer.toFixed(0)} ms, ${residentMb} MB`
    print(`${load.name}: ${row}`)
    figures.set(load.name, row)
    if (read > options.readLimitMs) throw new Error(`eth_chainId took ${read.toFixed(0)} ms`)
    if (transfer > options.transferLimitMs) throw new Error(`a transfer took ${transfer.toFixed(0)} ms`)
    await target.stop()
    return undefined
  } catch (error) {
    await target.kill()
    print(`${load.name}: ${(error as Error).message}`)
    return (error as Error).message
  } finally {
    await neighbour?.leave()
  }
}

async function underLoad(target: Target, load: Load, seconds: number, neighbour: Neighbour) {
  const ended = new AbortController()
  // One listener for each request.
  setMaxListeners(0, ended.signal)
  const timer = setTimeout(() => ended.abort(), seconds * 1000)
  let residentMb = 0
  const look = setInterval(() => {
    residentMb = Math.max(residentMb, target.residentMb())
    // It must not take the memory of the whole machine.
    if (residentMb > residentLimitMb) ended.abort()
  }, 100)
  try {
    while (!ended.signal.aborted) {
      await load.run(target.url, ended.signal)
      await target.requireAlive()
    }
    if (residentMb > residentLimitMb) throw new Error(`the network holds ${residentMb} MB`)
    return { ...(await neighbour.waits()), residentMb }
  } finally {
    clearTimeout(timer)
    clearInterval(look)
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.POSITIVE_INFINITY
}
