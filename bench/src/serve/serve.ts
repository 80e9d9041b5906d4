import { parseArgs } from 'node:util'
import { startAnvil } from '@understudy/testkit'
import { startUnderstudy } from '../startUnderstudy.ts'
import { median } from '../times.ts'
import { prepareServer } from './prepare.ts'
import { rows } from './rows.ts'

const rounds = 5
/** How long each server answers a row before it is measured, in milliseconds: both compile or load what they use often. */
const warmMs = 3000

/** Prints requests a second of this server and of anvil, who take turns in one run after a warm-up, and the ratio of their medians. `--only NAME,NAME` runs some rows; with `--ephemeral`, this server keeps as little as anvil. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, ephemeral: { type: 'boolean' } },
  })
  const only = values.only?.split(',')
  const chosen = rows.filter(({ name }) => only === undefined || only.includes(name))
  if (chosen.length === 0) throw new Error(`The rows are ${rows.map(({ name }) => name).join(', ')}`)
  const upstream = await startAnvil()
  const theirs = await startAnvil()
  const ours = await startUnderstudy([
    ...['--fork-url', upstream.url, '--no-follow-head', '--accounts', '20'],
    ...(values.ephemeral ? ['--ephemeral'] : []),
  ])
  try {
    const servers = [await prepareServer(ours.url), await prepareServer(theirs.url)]
    console.log('| row | understudy, a second | anvil, a second | understudy / anvil | asked for |')
    console.log('|---|---|---|---|---|')
    for (const { name, required, isOnce, measure } of chosen) {
      for (const server of isOnce ? [] : servers)
        for (const until = performance.now() + warmMs; performance.now() < until; ) await measure(server, 1)
      const figures = servers.map((): number[] => [])
      for (let round = 0; round < (isOnce ? 1 : rounds); round++)
        for (const [index, server] of servers.entries()) figures[index]?.push(await measure(server, round))
      const [mine = 0, other = 0] = figures.map(median)
      const shown = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0))
      console.log(`| ${name} | ${shown(mine)} | ${shown(other)} | ${(mine / other).toFixed(2)} | ${required ?? ''} |`)
    }
  } finally {
    await Promise.all([ours.stop(), theirs.stop(), upstream.stop()])
  }
}
