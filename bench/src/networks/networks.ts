import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { postJsonRpc, runCommand, startAnvil } from '@understudy/testkit'
import { figuresOf, megabytes } from '../figures.ts'
import { formatDuration, median, quantile, timesOf } from '../times.ts'

const sleepAfterSeconds = 20
const account = '0x00000000000000000000000000000000000000a1'

/** Time and memory of many networks in a process that forks a local chain: made, awake, asleep and woken. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { networks: { type: 'string', default: '100' } } })
  const count = Number(values.networks)
  const live = await startAnvil()
  const directory = mkdtempSync(join(tmpdir(), 'understudy-bench-'))
  const config = join(directory, 'networks.json')
  const options = { port: 0, 'data-dir': join(directory, 'data'), 'fork-url': live.url }
  writeFileSync(config, JSON.stringify({ options, 'sleep-after': sleepAfterSeconds, 'awake-limit': count }))
  const server = runCommand(['serve', '--config', config])
  const url = await server.listening
  const print = (what: string, figure: string) => console.log(`| ${what} | ${figure} |`)
  const memory = async () => megabytes((await figuresOf(url)).memory)
  const printTimes = (what: string, times: readonly number[]) => {
    const figures = [median(times), quantile(times, 0.95)].map(formatDuration)
    print(`${what}: median, 95th percentile`, figures.join(', '))
  }
  const read = (index: number) => postJsonRpc(`${url}/n/n${index}`, 'eth_getBalance', [account, 'latest'])
  const perNetwork = async (task: () => Promise<unknown>) => {
    const before = await figuresOf(url)
    await task()
    return formatDuration(((await figuresOf(url)).cpu - before.cpu) / count)
  }

  console.log(`| ${count} networks | |\n|---|---|`)
  print('memory of an empty process', await memory())
  let times: number[] = []
  const making = async () => {
    times = await timesOf(count, (index) => postJsonRpc(url, 'dev_createNetwork', [{ name: `n${index}` }]))
  }
  const processor = await perNetwork(making)
  printTimes('making one', times)
  print('processor time of it', processor)
  await timesOf(count, (index) => postJsonRpc(`${url}/n/n${index}`, 'dev_setBalance', [account, '7']))
  print('memory, all awake', await memory())
  for (let round = 1; round <= 3; round++) {
    await untilAsleep(url)
    print(`memory, all asleep (${round})`, await memory())
    print('processor time of a second then', await idleSecond(url))
    const waking = await perNetwork(async () => {
      times = await timesOf(count, read)
    })
    printTimes('waking one', times)
    print('processor time of it', waking)
    printTimes('a read then', await timesOf(count, read))
  }
  server.child.kill()
  await server.ended
  await live.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function untilAsleep(url: string): Promise<void> {
  for (;;) {
    const health = (await (await fetch(`${url}/health`)).json()) as { networks: { awake: number } }
    if (health.networks.awake === 0) return
    await sleep(1000)
  }
}

async function idleSecond(url: string): Promise<string> {
  const seconds = 5
  const before = await figuresOf(url)
  await sleep(seconds * 1000)
  return formatDuration(((await figuresOf(url)).cpu - before.cpu) / seconds)
}
