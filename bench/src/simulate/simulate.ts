import { parseArgs } from 'node:util'
import { startAnvil, startFaultProxy } from '@understudy/testkit'
import { measure, untilQuiet } from '../fork/measure.ts'
import { openHttpClient } from '../httpClient.ts'
import { startUnderstudy } from '../startUnderstudy.ts'
import { formatDuration, median, quantile, timesOf } from '../times.ts'
import { prepareSwaps, rows, type Swap } from './swaps.ts'

const warmUps = 300
const alone = 500
const clients = 20
const ofEach = 50
const coldRounds = 3
/** How far away the live chain is, in milliseconds. */
const delayMs = 100
/** What a simulation may take: its median when everything is in memory, and its round trips to the live chain when nothing is. */
const limits = { microseconds: 5_000, roundTrips: 3 }

type Times = { middle: number; late: number }
type NextSwap = () => Swap

/**
 * Prints how long a simulated swap on Uniswap V3 takes: warm, with one client and with 20 at once, beside eth_call and beside
 * anvil's nearest methods; and cold, on a fork that has read nothing. `--only NAME,NAME` runs some methods.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { only: { type: 'string' } } })
  const only = values.only?.split(',')
  const chosen = rows.filter(({ method }) => only === undefined || only.includes(method))
  const live = await startAnvil()
  try {
    const next = await prepareSwaps(live.url)
    const slow = [...(await runWarm(live.url, next, chosen)), ...(await runCold(live.url, next, chosen))]
    if (slow.length === 0) return
    console.error(`Too slow: ${slow.join(', ')}`)
    process.exitCode = 1
  } finally {
    await live.stop()
  }
}

async function runWarm(liveUrl: string, next: NextSwap, chosen: typeof rows): Promise<string[]> {
  const ours = await startUnderstudy(['--fork-url', liveUrl, '--no-follow-head'])
  const theirs = await startAnvil({ args: ['--fork-url', liveUrl] })
  const slow: string[] = []
  try {
    console.log(
      `Warm: ${alone} by one client, then ${ofEach} by each of ${clients} clients at once; median, 99th percentile\n`,
    )
    console.log('| method | one client | 20 clients | a second, 20 clients | anvil, one client |')
    console.log('|---|---|---|---|---|')
    for (const { name, method, params, isCommon } of chosen) {
      const bodies = () => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params(next()) })
      const { one, many, perSecond } = await timesOn(ours.url, bodies)
      const anvil = isCommon ? textOf((await timesOn(theirs.url, bodies)).one) : ''
      console.log(`| ${name} | ${textOf(one)} | ${textOf(many)} | ${perSecond.toFixed(0)} | ${anvil} |`)
      if (isSimulation(method) && one.middle > limits.microseconds) slow.push(`${name}, warm`)
    }
  } finally {
    await Promise.all([ours.stop(), theirs.stop()])
  }
  return slow
}

const isSimulation = (method: string) => method === 'dev_simulate' || method === 'tenderly_simulateTransaction'

async function timesOn(url: string, nextBody: () => string) {
  const ask = async (count: number) => {
    const http = await openHttpClient(url)
    // They are prepared first, so that the client takes little of the measured time.
    const bodies = Array.from({ length: count }, nextBody)
    const times = await timesOf(count, async (index) => {
      const answer = await http.post(bodies[index] as string)
      if (!answer.includes('"result"')) throw new Error(answer.toString('utf8', 0, 1000))
    })
    http.close()
    return times
  }
  await ask(warmUps)
  const one = summary(await ask(alone))
  const begun = performance.now()
  const many = summary((await Promise.all(Array.from({ length: clients }, () => ask(ofEach)))).flat())
  return { one, many, perSecond: (clients * ofEach * 1000) / (performance.now() - begun) }
}

const summary = (times: readonly number[]): Times => ({ middle: median(times), late: quantile(times, 0.99) })
const textOf = ({ middle, late }: Times) => `${formatDuration(middle)}, ${formatDuration(late)}`

async function runCold(liveUrl: string, next: NextSwap, chosen: typeof rows): Promise<string[]> {
  const slow: string[] = []
  console.log(`\nCold, the live chain ${delayMs} ms away: medians of ${coldRounds}\n`)
  console.log('| method | time | round trips | requests |')
  console.log('|---|---|---|---|')
  for (const { name, method, params } of chosen) {
    const measured: { ms: number; roundTrips: number; requests: number }[] = []
    for (let round = 0; round < coldRounds; round++) measured.push(await coldOnce(liveUrl, method, params(next())))
    const ms = median(measured.map((each) => each.ms))
    const roundTrips = median(measured.map((each) => each.roundTrips))
    const requests = median(measured.map((each) => each.requests))
    console.log(`| ${name} | ${formatDuration(ms * 1000)} | ${roundTrips} | ${requests} |`)
    if (isSimulation(method) && roundTrips > limits.roundTrips) slow.push(`${name}, cold`)
  }
  return slow
}

/** A fork of its own for one request. Requests that reach the live chain within its delay are of one round trip. */
async function coldOnce(liveUrl: string, method: string, params: readonly unknown[]) {
  const proxy = await startFaultProxy(liveUrl)
  const arrivals: number[] = []
  proxy.set({
    delayMs,
    answer({ method: asked }) {
      arrivals.push(performance.now())
      // The live chain is an anvil, whose state diffs are not trusted. The proxy hides that, so that it counts as another node.
      return asked === 'web3_clientVersion' ? { result: 'Geth/v1.16.7-stable' } : undefined
    },
  })
  const network = await startUnderstudy(['--fork-url', proxy.url, '--no-follow-head', '--log-level', 'warn'])
  try {
    await untilQuiet(proxy, delayMs)
    arrivals.length = 0
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { ms, requests } = await measure(proxy, async () => {
      const http = await openHttpClient(network.url)
      const answer = await http.post(body)
      http.close()
      if (!answer.includes('"result"')) throw new Error(answer.toString('utf8', 0, 1000))
    })
    return { ms, requests, roundTrips: roundTripsOf(arrivals) }
  } finally {
    await network.stop()
    await proxy.stop()
  }
}

function roundTripsOf(arrivals: readonly number[]): number {
  let roundTrips = 0
  let end = 0
  for (const arrival of arrivals) {
    if (arrival < end) continue
    roundTrips++
    end = arrival + delayMs
  }
  return roundTrips
}
