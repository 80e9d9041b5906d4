import type { Command } from 'commander'
import { exitCodes } from '../ending.ts'
import { addNetworkOptions, networkOf } from '../remote/command.ts'
import type { AfterCommand } from '../start.ts'
import { addConfigOption, type Flags, givenFlags, startOption } from '../startOptions.ts'
import type { FaultReport } from './collectReport.ts'

const examples = `
Examples:
  understudy report
  understudy report --json > report.json
  understudy report --recording fork.gz --fork-url https://rpc.example -- npm test

Keys, headers, passwords and mnemonics of the options are masked. Read the report before you publish it: it names hosts and files.`

const description =
  'Prints what an issue about a fault needs, as Markdown: versions, the options that are not the default, the chain and its rules, storage, and the last warnings and errors. It asks the running network at --rpc-url; without one, it prints the versions. With --recording, it runs a command that shows the fault with a network of its own, as understudy record does, and reports on that network and on the recording.'

/** Options of the network that runs the command. Others are read from the environment and the configuration file. */
const recordOptions = ['forkUrls', 'forkHeaders', 'forkBlockNumber', 'chainId', 'hardfork'] as const

/** Runs a command with a network of its own. */
type Record = (
  flags: Flags,
  configFile: string | undefined,
  words: readonly string[],
  afterCommand: AfterCommand,
) => Promise<void>

export function addReportCommand(
  program: Command,
  version: string,
  print: (text: string) => void,
  setCode: (code: number) => void,
  record: Record,
): Command {
  const report = program
    .command('report')
    .summary('collect what an issue about a fault needs, without secrets')
    .description(description)
    .argument('[COMMAND...]', 'with --recording: the command that shows the fault, and its arguments, after --')
    .helpOption('-h, --help', 'print this help')
    .option('--recording <FILE>', 'where to record what the command reads of the live chain')
    .addHelpText('after', examples)
    .configureHelp({ sortOptions: false, showGlobalOptions: false })
  for (const key of recordOptions) report.addOption(startOption(key))
  addNetworkOptions(addConfigOption(report)).option('--json', 'print the report as JSON')
  report.action(async (words: string[]) => {
    const { recording, config, json, ...given } = report.opts<{ recording?: string; config?: string; json?: true }>()
    const flags = givenFlags(report)
    if ((recording === undefined) !== (words.length === 0))
      report.error('error: --recording FILE and a COMMAND after -- belong together')
    const { collectReport } = await import('./collectReport.ts')
    const { reportText } = await import('./reportText.ts')
    const show = (found: FaultReport) => print(`${json ? JSON.stringify(found, null, 2) : reportText(found)}\n`)
    if (recording === undefined) {
      const { url, apiKey } = networkOf(given)
      return show(await collectReport(version, url, apiKey))
    }
    let found: FaultReport | undefined
    let command = `understudy record --from ${quoted(recording)} --offline -- ${words.map(quoted).join(' ')}`
    await record({ ...flags, record: recording }, config, words, async ({ url, apiKey, redact }) => {
      found = await collectReport(version, url, apiKey)
      command = redact(command)
    })
    // It could not start, and has said why.
    if (!found) return
    const { describeRecording } = await import('../../network/recordings.ts')
    const { chainId, head, calls, bytes } = await describeRecording(recording)
    show({ ...found, recording: { file: recording, chainId, head: head.number, calls, bytes, command } })
    // A command that shows a fault may fail.
    setCode(exitCodes.done)
  })
  return report
}

/** A word for a shell. */
const quoted = (word: string) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
