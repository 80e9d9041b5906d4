import type { Command } from 'commander'
import { configFromSources } from '../../config/config.ts'
import { createLogger } from '../../shared/logger.ts'
import { loadConfigFile } from '../configFile.ts'
import { exitCodes, keepAlive } from '../ending.ts'
import { showProgress } from '../progress.ts'
import { addConfigOption, givenFlags, startOption } from '../startOptions.ts'

const examples = `
Examples:
  understudy check-upstream https://rpc.example/KEY
  understudy check-upstream https://rpc.example/KEY https://other.example --json
  understudy check-upstream https://rpc.example --fork-header 'authorization: Bearer KEY'

Exit codes: 0 a network can use every endpoint, 1 it cannot use one of them, 2 wrong options.`

const description =
  'Finds out what endpoints of a live chain can, what will be slow or missing in a network that forks them, and which to name first. It sends at most 60 requests to each, within 20 seconds. Without a URL, it checks those of the environment or of the configuration file.'

/** Adds `check-upstream`, which needs no network. */
export function addCheckUpstreamCommand(
  program: Command,
  print: (text: string) => void,
  setCode: (code: number) => void,
): Command {
  const command = program
    .command('check-upstream')
    .summary('find out what an endpoint of a live chain can')
    .description(description)
    .argument('[URL...]', 'JSON-RPC URLs of one live chain, as of --fork-url')
    .helpOption('-h, --help', 'print this help')
    .addOption(startOption('forkHeaders'))
    .addOption(startOption('upstreamTimeoutMs'))
    .addOption(startOption('upstreamBatchSize'))
    .addHelpText('after', examples)
    .configureHelp({ sortOptions: false, showGlobalOptions: false })
  addConfigOption(command).option('--json', 'print the result as JSON')
  command.action(async (urls: string[]) => {
    const { config: file, json } = command.opts<{ config?: string; json?: true }>()
    const flags = { ...givenFlags(command), ...(urls.length > 0 && { forkUrls: urls }) }
    const config = configFromSources(flags, process.env, loadConfigFile(file))
    const [{ checkUpstream }, { reportText }] = await Promise.all([
      import('../../upstream/providers/checkUpstream.ts'),
      import('./reportText.ts'),
    ])
    // It pauses between requests.
    keepAlive()
    let bar: ReturnType<typeof showProgress> | undefined
    const report = await checkUpstream(config, createLogger('silent'), (done, total) => {
      bar ??= showProgress('Checking', total)
      bar.at(done)
    }).finally(() => bar?.end())
    print(`${json ? JSON.stringify(report, null, 2) : reportText(report)}\n`)
    if (!report.isUsable) setCode(exitCodes.failed)
  })
  return command
}
