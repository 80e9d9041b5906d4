import type { Command } from 'commander'
import { createConfig } from '../config/config.ts'
import { createLogger } from '../shared/logger.ts'
import { exitCodes } from './ending.ts'
import { showProgress } from './progress.ts'
import { formatFields, formatTable } from './remote/format.ts'

const examples = [
  'understudy recording show fork.gz',
  'understudy recording merge fork.gz other.gz --output fork.gz',
  'understudy recording verify fork.gz --fork-url https://rpc.example',
]

/** How many calls with another answer are printed. */
const shownDifferences = 20

/** Adds `recording` and its commands, which read files of `--record`. */
export function addRecordingCommands(
  program: Command,
  print: (text: string) => void,
  setCode: (code: number) => void,
): Command[] {
  const recording = program
    .command('recording')
    .summary('show, merge or verify recordings of a live chain')
    .description('Shows, merges or verifies files of --record.')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText('after', ['\nExamples:', ...examples].join('\n  '))
  const show = recording
    .command('show')
    .summary('show the chain and the calls of a recording')
    .description('Shows the chain and the calls of a recording. Its lines are those of `zcat FILE`.')
    .argument('<FILE>', 'the file')
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
    .option('--json', 'print JSON')
  show.action(async (file: string) => {
    const { describeRecording } = await import('../network/recordings.ts')
    const summary = await describeRecording(file)
    const { chainId, head, networkChainId, bytes, calls, byMethod } = summary
    if (show.opts<{ json?: true }>().json) return print(`${JSON.stringify(summary)}\n`)
    print(
      formatFields({
        'live chain': `chain ${chainId} at block ${head.number} (${head.hash}) of ${head.timestamp}`,
        network: networkChainId === null ? undefined : `chain id ${networkChainId}`,
        calls: `${calls}, ${bytes} bytes when it is decompressed`,
      }),
    )
    print(`\n\n${formatTable(Object.entries(byMethod).map(([method, count]) => ({ method, calls: count })))}\n`)
  })
  const merge = recording
    .command('merge')
    .summary('write a recording with the answers of several')
    .description(
      'Writes a recording with the answers of several of one chain. The first gives the head, and its answers are kept where others differ.',
    )
    .argument('<FILES...>', 'the files')
    .helpOption('-h, --help', 'print this help')
    .requiredOption('--output <FILE>', 'where to write it; may be one of the files')
  merge.action(async (files: string[]) => {
    const { mergeRecordingFiles } = await import('../network/recordings.ts')
    const { output } = merge.opts<{ output: string }>()
    print(`${output}: ${await mergeRecordingFiles(files, output)} calls\n`)
  })
  const verify = recording
    .command('verify')
    .summary('ask the live chain whether its answers are still the same')
    .description(
      'Asks the live chain each recorded call again. Exits with 1 if an answer differs. Calls whose answers move with the head, and state that the live chain no longer has, are counted, and not compared.',
    )
    .argument('<FILE>', 'the file')
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
    .requiredOption('--fork-url <URL>', 'JSON-RPC URL of the live chain')
  verify.action(async (file: string) => {
    const { verifyRecordingFile } = await import('../network/recordings.ts')
    const config = createConfig({ forkUrls: [verify.opts<{ forkUrl: string }>().forkUrl] })
    let bar: ReturnType<typeof showProgress> | undefined
    const { same, different, moving, pruned } = await verifyRecordingFile(
      file,
      config,
      createLogger('error'),
      (done, total) => {
        bar ??= showProgress('Verifying', total)
        bar.at(done)
      },
    ).finally(() => bar?.end())
    const counts = { same, different: different.length, 'move with the head': moving, 'no longer there': pruned }
    print(`${formatFields(counts)}\n`)
    for (const call of different.slice(0, shownDifferences)) print(`different: ${call}\n`)
    if (different.length > 0) setCode(exitCodes.failed)
  })
  return [recording, show, merge, verify]
}
