import { writeFile } from 'node:fs/promises'
import {
  type Forecast,
  forecastAsMarkdown,
  forecastParts,
  type LoadBlock,
  mergeForecasts,
} from '@understudy/client/forecasts'
import type { Command } from 'commander'
import { blocksOf } from '../blocksOf.ts'
import { problemJson, problemText } from '../problem.ts'
import { showProgress } from '../progress.ts'
import { wholeNumberFrom } from '../remote/arguments.ts'
import { addNetworkOptions, type Given, networkOf } from '../remote/command.ts'
import { connectTo, type RemoteNetwork } from '../remote/network.ts'
import { contractsOf } from './contractsOf.ts'
import { formatForecast } from './forecastText.ts'

/** So that scripts tell what would break from a command that failed. */
const codes = { breaks: 1, failed: 2 } as const

const examples = `
Examples:
  understudy forecast                                                      the newest 16 blocks, all contracts
  understudy forecast --contracts workspaces --blocks 7d                   a week, for your contracts
  understudy forecast --contracts ./my-project --blocks 7d --sample 500    a Foundry or Hardhat project, more of the week
  understudy forecast 0x5FbDB2315678afecb367F032d93F642f64180aa3 --blocks 21000000..21000500 --markdown forecast.md

--contracts takes workspaces, a folder with a compiled project, which is pushed, or a file: addresses and names of workspaces in lines
or as JSON, the deployments of Hardhat Ignition, or what forge script --broadcast wrote. At most 1000 contracts.
Of more blocks than --sample, it runs first those in which the contracts logged something, then others, evenly.

Exit codes: 0 nothing breaks, 1 a transaction fails that succeeded, whatever its gas limit, 2 the command failed.`

type Options = Given & {
  hardfork: string
  blocks: string
  sample?: string
  contracts?: string
  report?: string
  markdown?: string
  json?: boolean
}

/** Adds `forecast`, which says what another hardfork breaks. */
export function addForecastCommand(
  program: Command,
  print: (text: string) => void,
  setCode: (code: number) => void,
): Command {
  const command = program
    .command('forecast')
    .summary('say which of your contracts another hardfork breaks, in which line and why')
    .description(
      'Runs recent transactions again by the rules of another hardfork, those of the live chain and your own, and says which functions of which contracts fail then, need a higher gas limit, cost more or log differently, with the line and the cause.',
    )
    .argument('[addresses...]', 'only transactions that these accounts send or that call them')
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
    .option('--contracts <FILE|workspaces>', 'only transactions that call these contracts')
    .option('--hardfork <NAME>', 'the hardfork by whose rules they run', 'amsterdam')
    .option(
      '--blocks <N|A..B|TIME>',
      'the newest N blocks, the first and the last block, or the time before the newest one: 7d, 12h, 30m',
      '16',
    )
    .option('--sample <N>', 'run at most so many of these blocks (default: 100)')
    .option('--markdown <FILE>', 'where to write the report as Markdown')
    .option('--report <FILE>', 'where to write the report as JSON')
  addNetworkOptions(command).option('--json', 'print the report as JSON').addHelpText('after', examples)
  command.action(async (addresses: string[]) => {
    const given = command.opts<Options>()
    try {
      const report = await deliver(addresses, given, print)
      if (report.fails > 0) setCode(codes.breaks)
    } catch (error) {
      process.stderr.write(`${given.json ? problemJson(error) : problemText(error)}\n`)
      setCode(codes.failed)
    }
  })
  return command
}

async function deliver(addresses: readonly string[], given: Options, print: (text: string) => void): Promise<Forecast> {
  const { url, apiKey } = networkOf(given)
  const network = connectTo(url, apiKey)
  const contracts = [
    ...addresses,
    ...(given.contracts === undefined ? [] : await contractsOf(network, given.contracts)),
  ]
  const report = await loadForecast(network, contracts, given)
  const text = `${JSON.stringify(report, null, 2)}\n`
  if (given.report !== undefined) await writeFile(given.report, text)
  if (given.markdown !== undefined) await writeFile(given.markdown, forecastAsMarkdown(report, contracts))
  print(given.json ? text : `${formatForecast(report, contracts)}\n`)
  return report
}

/** Asks for one part after another, so that each has the limits of a request, and the next is not asked for after Ctrl+C. */
async function loadForecast(
  network: RemoteNetwork,
  addresses: readonly string[],
  { hardfork, blocks, sample = '100' }: Options,
): Promise<Forecast> {
  const { from, to } = await rangeOf(blocks, network)
  const parts = forecastParts({ from: Number(from), to: Number(to) }, wholeNumberFrom('--sample', sample, 1))
  const bar = showProgress('Forecast', parts.length)
  try {
    let whole: Forecast | undefined
    for (const [index, part] of parts.entries()) {
      const found = await network.call('dev_forecast', [{ hardfork, addresses, ...part }])
      whole = mergeForecasts(whole, found)
      bar.at(index + 1)
    }
    return whole as Forecast
  } finally {
    bar.end()
  }
}

async function rangeOf(text: string, network: RemoteNetwork): Promise<{ from: bigint; to: bigint }> {
  const loadBlock: LoadBlock = async (number) => {
    const tag = number === undefined ? 'latest' : `0x${number.toString(16)}`
    const block = await network.call<{ number: string; timestamp: string }>('eth_getBlockByNumber', [tag, false])
    return { number: BigInt(block.number), timestamp: BigInt(block.timestamp) }
  }
  const newest = (await loadBlock()).number
  if (/^\d+$/.test(text)) {
    const first = newest - BigInt(wholeNumberFrom('--blocks', text, 1)) + 1n
    return { from: first < 1n ? 1n : first, to: newest }
  }
  const { from, to } = await blocksOf(text, loadBlock)
  return { from: from < newest ? from : newest, to: to < newest ? to : newest }
}
