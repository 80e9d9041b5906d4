import { type Anvil, postJsonRpc, startAnvil } from '@understudy/testkit'
import { startUnderstudy } from '../startUnderstudy.ts'
import { formatDuration, median, quantile, timesOf } from '../times.ts'
import { type DistantDatabase, startDistantDatabase } from './distantDatabase.ts'

const rounds = 300
/** Each has one transaction in flight at a time. */
const senders = 80
const loadMs = 5_000
const distanceMs = 2

const to = `0x${'5e'.repeat(20)}`

type Target = { name: string; args: readonly string[] }

/**
 * Prints how long a change takes until it is durable and answered, and how many transactions a second there can be: in a data
 * directory, in the PostgreSQL at TEST_DATABASE_URL, and in the same when it is further away.
 */
export async function measureCommits(): Promise<void> {
  const url = process.env.TEST_DATABASE_URL
  const distant = url === undefined ? undefined : await startDistantDatabase(url, distanceMs)
  const anvil = await startAnvil()
  try {
    console.log(
      '| kept in | dev_setBalance, median | 95 of 100 | transaction, median | 95 of 100 | transactions a second |',
    )
    console.log('|---|---|---|---|---|---|')
    for (const target of targetsOf(url, distant)) await measure(target, anvil)
    if (url === undefined)
      console.log('\nFor PostgreSQL: node tooling/withPostgres.mjs --durable npm run bench -- scale')
  } finally {
    await anvil.stop()
    await distant?.stop()
  }
}

function targetsOf(url: string | undefined, distant: DistantDatabase | undefined): Target[] {
  const inDatabase = (name: string, at: string): Target => ({
    name,
    args: ['--database-url', at, '--network', `bench${Date.now()}`],
  })
  return [
    { name: 'SQLite', args: [] },
    ...(url === undefined ? [] : [inDatabase('PostgreSQL on this machine', url)]),
    ...(distant === undefined ? [] : [inDatabase(`PostgreSQL, ${distanceMs} ms there and back`, distant.url)]),
  ]
}

async function measure({ name, args }: Target, anvil: Anvil): Promise<void> {
  const network = await startUnderstudy([
    '--fork-url',
    anvil.url,
    '--accounts',
    `${senders}`,
    '--log-level',
    'silent',
    ...args,
  ])
  try {
    const accounts = await postJsonRpc<string[]>(network.url, 'eth_accounts', [])
    const [from] = accounts as [string]
    const writes = await warmTimesOf((round) => postJsonRpc(network.url, 'dev_setBalance', [to, String(round)]))
    const sends = await warmTimesOf(() => send(network.url, from))
    const perSecond = await loadOf(network.url, accounts)
    const figures = [median(writes), quantile(writes, 0.95), median(sends), quantile(sends, 0.95)].map(formatDuration)
    console.log(`| ${name} | ${figures.join(' | ')} | ${Math.round(perSecond)} |`)
  } finally {
    await network.stop()
  }
}

const send = (url: string, from: string) =>
  postJsonRpc(url, 'eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])

/** After some that are not counted. */
async function warmTimesOf(request: (round: number) => Promise<unknown>): Promise<number[]> {
  await timesOf(20, request)
  return timesOf(rounds, request)
}

async function loadOf(url: string, accounts: readonly string[]): Promise<number> {
  const start = performance.now()
  let done = 0
  const work = async (from: string) => {
    while (performance.now() - start < loadMs) {
      await send(url, from)
      done++
    }
  }
  await Promise.all(accounts.map(work))
  return done / ((performance.now() - start) / 1000)
}
