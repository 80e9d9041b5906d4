import type { Command } from 'commander'
import { createConfig } from '../../config/config.ts'
import { blocksAt, blocksOf } from '../blocksOf.ts'
import { showProgress } from '../progress.ts'
import { addReportOptions, deliverReport, type ReportOptions } from './deliverReport.ts'

const examples = `
Examples:
  understudy backtest --fork-url https://archive.example --blocks 21000000..21000500 --changes upgrade.json
  understudy backtest --fork-url URL --blocks 1d --changes upgrade.json
  understudy backtest --fork-url URL --blocks 21000000..21000500 --changes upgrade.json --rule "ignore gas below 2 %" --junit report.xml

The file of --changes is a JSON array of requests: [{ "method": "dev_setCode", "params": ["0x…", "0x…"] }]. Its transactions are in the first block.`

type Given = ReportOptions & {
  forkUrl: string[]
  blocks: string
  changes?: string
  rule?: string[]
  dataDir?: string
}

/** Adds `backtest`, which runs past blocks of a live chain through changes. */
export function addBacktestCommand(
  program: Command,
  print: (text: string) => void,
  setCode: (code: number) => void,
): Command {
  const several = (value: string, previous: string[] | undefined) => [...(previous ?? []), value]
  const command = program
    .command('backtest')
    .summary("run a live chain's past transactions through changes")
    .description(
      "Runs a live chain's past transactions through changes, and reports which come out otherwise. Exits with 1 if a transaction diverges that no rule expects. Needs state of the past: an archive node for old blocks.",
    )
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
    .requiredOption('--fork-url <URL>', 'JSON-RPC URL of the live chain; give it several times for failover', several)
    .requiredOption(
      '--blocks <A..B|TIME>',
      'the first and the last block, or the time before the newest one: 1d, 12h, 30m',
    )
    .option('--changes <FILE>', 'JSON-RPC requests that make the changes')
    .option('--rule <RULE>', 'what is expected to differ; may be given several times', several)
  addReportOptions(command)
    .option('--data-dir <DIR>', 'where to keep the network: a run that was stopped continues there')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', examples)
  command.action(async () => {
    const given = command.opts<Given>()
    const { from, to } = await blocksOf(given.blocks, blocksAt(given.forkUrl))
    const config = createConfig({
      forkUrls: given.forkUrl,
      forkBlockNumber: from - 1n,
      dataDirectory: given.dataDir,
      ephemeral: given.dataDir === undefined,
      port: 0,
      mine: 'replay',
      replayMaxGap: 100_000_000,
      checkFidelity: 0,
    })
    const { runBacktest } = await import('./runBacktest.ts')
    const bar = showProgress('Backtest', Number(to - from) + 1)
    try {
      const options = { from, to, changes: given.changes, rules: given.rule ?? [], progress: bar }
      const report = await runBacktest(config, options)
      bar.end()
      const suite = { name: `backtest of blocks ${from} to ${to}`, seconds: report.seconds }
      const heading = `Blocks ${from} to ${to} in ${report.seconds.toFixed(1)} s: `
      await deliverReport(report, given, { suite, heading, print, setCode })
    } finally {
      bar.end()
    }
  })
  return command
}
