import { type FaultProxy, startFaultProxy } from '@understudy/testkit'
import { formatDuration, median } from '../times.ts'
import { call, type LiveChain, startLiveChain, type Work } from './liveChain.ts'
import { type Measured, measure, untilQuiet } from './measure.ts'
import { anvil, type Fork, type Side, understudy } from './sides.ts'

const delayMs = 50
const rounds = 5
/** Maximum time of a cold call that reads 100 slots. */
const slotsLimit = { ms: 300, requests: 4 }

type Rows = Map<string, Measured[]>

async function runOnce(side: Side, live: LiveChain, proxy: FaultProxy, rows: Rows): Promise<void> {
  const note = async (name: string, task: () => Promise<unknown>) => {
    const measured = await measure(proxy, task)
    rows.set(name, [...(rows.get(name) ?? []), measured])
    await untilQuiet(proxy, delayMs)
  }
  const cold = async (work: Work, name: string) => {
    const fork = await side.start(proxy)
    await untilQuiet(proxy, delayMs)
    await note(name, () => call(fork.url, work))
    return fork
  }
  await (await cold(live.chase, 'cold call: 30 pointers, one after the other')).stop()
  await (await cold(live.quote, 'cold quote on Uniswap V3')).stop()
  const fork = await cold(live.sum, 'cold call: 100 slots')
  await note('the same call again', () => call(fork.url, live.sum))
  await note('killed and started again, until the same call is answered', async () => {
    await fork.restart()
    await call(fork.url, live.sum)
  })
  const wanted = await live.change(BigInt(Date.now()))
  await note('head advance: one of the 100 slots changes, until the call shows it', async () => {
    await fork.catchUp()
    await untilAnswered(fork, live.sum, wanted)
  })
  await note('the same call at the new head', () => call(fork.url, live.sum))
  await fork.stop()
}

async function untilAnswered(fork: Fork, work: Work, wanted: string): Promise<void> {
  while ((await call(fork.url, work)) !== wanted) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Prints the times and upstream requests of a fork of a live chain 50 ms away, for this network and anvil, which take turns at the same work. */
export async function run(): Promise<void> {
  const live = await startLiveChain()
  const proxy = await startFaultProxy(live.anvil.url)
  // The live chain is an anvil, whose state diffs are not trusted. The proxy hides that, so that it counts as another node.
  proxy.set({
    delayMs,
    answer: ({ method }) => (method === 'web3_clientVersion' ? { result: 'Geth/v1.16.7-stable' } : undefined),
  })
  const sides = [understudy, anvil].map((side) => ({ side, rows: new Map() as Rows }))
  try {
    for (let round = 0; round < rounds; round++)
      for (const { side, rows } of sides) await runOnce(side, live, proxy, rows)
  } finally {
    await proxy.stop()
    await live.stop()
  }
  print(sides)
}

function print(sides: readonly { side: Side; rows: Rows }[]): void {
  const cell = (measured: readonly Measured[] = []) => {
    const ms = median(measured.map((it) => it.ms))
    return `${formatDuration(ms * 1000)}, ${median(measured.map(({ requests }) => requests))} requests`
  }
  console.log(`A live chain ${delayMs} ms away; medians of ${rounds}, with the HTTP requests that reached it.\n`)
  console.log(`| work | ${sides.map(({ side }) => side.name).join(' | ')} |`)
  console.log(`|---|${sides.map(() => '---').join('|')}|`)
  const names = sides[0]?.rows.keys() ?? []
  for (const name of names) console.log(`| ${name} | ${sides.map(({ rows }) => cell(rows.get(name))).join(' | ')} |`)

  const slots = sides[0]?.rows.get('cold call: 100 slots') ?? []
  const [ms, requests] = [median(slots.map((it) => it.ms)), median(slots.map((it) => it.requests))]
  if (ms <= slotsLimit.ms && requests <= slotsLimit.requests) return
  console.error(`A cold call of 100 slots may take ${slotsLimit.ms} ms and ${slotsLimit.requests} requests.`)
  process.exitCode = 1
}
