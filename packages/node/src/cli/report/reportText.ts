import { rulesText } from '../remote/status.ts'
import type { FaultReport, ReportedRecording } from './collectReport.ts'

type Network = NonNullable<FaultReport['network']>
type Rows = Record<string, string | number | undefined>

/** The report in Markdown, for an issue. */
export function reportText({ command, network, problem, recording }: FaultReport): string {
  const parts = [
    '## Report',
    table({
      understudy: command.version,
      'Node.js': command.node,
      system: `${command.platform}, ${command.system}`,
      network: problem === null ? undefined : `none: ${problem}`,
    }),
    ...(network ? networkParts(network) : []),
    ...(recording ? recordingParts(recording) : []),
  ]
  return parts.join('\n\n')
}

function networkParts({ network, process, options, storage, problems }: Network): string[] {
  const { version, chainId, chain, rules, head, base, origin, mode, upstream, fidelity, node } = network
  return [
    '### Network',
    table({
      version,
      process: `Node.js ${process.node}, ${process.platform}, ${megabytes(process.memoryBytes)}`,
      'chain id': chainId,
      chain: `${chain.name} (${chain.stack})`,
      rules: rulesText(rules),
      head: `block ${head.number} of ${head.timestamp}`,
      base: `block ${base.number}; forked at block ${origin.number}`,
      mode,
      'live chain': upstream
        ? `chain ${upstream.chainId} at block ${upstream.head}, by ${upstream.headSource}${upstream.reachable ? '' : ', does not answer'}`
        : 'none',
      fidelity: fidelity
        ? `${fidelity.transactionsAgree} of ${fidelity.transactions} transactions reproduce`
        : undefined,
      node: node ? node.role : undefined,
      storage: `${storage.kind}, ${megabytes(storage.bytes)}; cache of the live chain ${megabytes(upstream?.cacheBytes ?? 0)}`,
      since: network.startedAt,
    }),
    '### Options',
    Object.keys(options).length > 0 ? table(options) : 'All are the default.',
    '### Last warnings and errors',
    problems.length > 0 ? problems.toReversed().map(problemText).join('\n\n') : 'None since the network started.',
  ]
}

function recordingParts({ file, chainId, head, calls, bytes, command }: ReportedRecording): string[] {
  return [
    '### Recording',
    `Attach \`${file}\` (chain ${chainId} at block ${head}, ${calls} calls, ${megabytes(bytes)} when it is decompressed). With it, this shows the fault without the live chain:`,
    fenced(command),
  ]
}

function problemText({ level, message, fields, count, firstAt, lastAt }: Network['problems'][number]): string {
  const times = count === 1 ? lastAt : `${count} times from ${firstAt} to ${lastAt}`
  return `**${level}: ${message}** (${times})${fields === '' ? '' : `\n\n${fenced(fields)}`}`
}

function table(rows: Rows): string {
  const lines = Object.entries(rows)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `| ${cell(name)} | ${cell(String(value))} |`)
  return ['| | |', '| --- | --- |', ...lines].join('\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')

/** With a fence that is longer than those in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
