import { resolve } from 'node:path'
import type { Command } from 'commander'
import { createConfig } from '../config/config.ts'
import { showProgress } from './progress.ts'

type CopyOptions = { from: string; to: string; fromNetwork?: string; toNetwork?: string }

const examples = [
  'understudy db copy --from .understudy --to postgres://me@db.example/understudy',
  'understudy db copy --from postgres://me@db.example/understudy --from-network ours --to ./back',
]

/** Adds `db` and its commands, which work on stopped networks. */
export function addDatabaseCommands(program: Command, print: (text: string) => void): Command[] {
  const db = program
    .command('db')
    .summary('move a network from a data directory to PostgreSQL, or back')
    .description('Moves a network from a data directory to PostgreSQL, or back.')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
  const copy = db
    .command('copy')
    .summary('copy a stopped network to an empty location')
    .description('Copies a stopped network to an empty location. Migrates older tables first, on both sides.')
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
    .requiredOption('--from <LOCATION>', 'data directory or postgres:// URL to copy from')
    .requiredOption('--to <LOCATION>', 'data directory or postgres:// URL to copy to')
    .option('--from-network <NAME>', 'name of the network in the database to copy from (default: understudy)')
    .option('--to-network <NAME>', 'name of the network in the database to copy to (default: understudy)')
    .addHelpText('after', ['\nExamples:', ...examples].join('\n  '))
  copy.action(async () => {
    const { from, to, fromNetwork, toNetwork } = copy.opts<CopyOptions>()
    const [source, target] = [locationOf(from, fromNetwork), locationOf(to, toNetwork)]
    const { copyNetwork } = await import('../app/copyNetwork.ts')
    let bar = showProgress('', 0)
    const { rows, location } = await copyNetwork(source, target, {
      begin(total) {
        bar = showProgress('Copying', total)
      },
      at: (done) => bar.at(done),
    }).finally(() => bar.end())
    print(`Copied ${rows} rows to ${typeof target === 'string' ? resolve(location) : location}\n`)
  })
  return [db, copy]
}

/** The database that a start with these options would use. Throws `CONFIG_INVALID`. */
function locationOf(location: string, name: string | undefined) {
  if (!/^\w+:\/\//.test(location)) return createConfig({ dataDirectory: location }).dataDirectory
  const { databaseUrl = '', network } = createConfig({ databaseUrl: location, network: name })
  return { url: databaseUrl, network }
}
