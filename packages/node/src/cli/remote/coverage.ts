import { writeFile } from 'node:fs/promises'
import type { Result } from '@understudy/client/methods'
import { NetworkError } from '../../shared/errors.ts'
import type { RemoteCommand } from './command.ts'
import { formatTable } from './format.ts'
import { lcovOf } from './lcov.ts'

type Report = Result<'dev_getCoverage'>
type Ratio = Report['contracts'][number]['lines']

/** Commands take one word: what to do. */
const actions = ['start', 'stop', 'show']

export const coverage: RemoteCommand = {
  usage: 'coverage [action]',
  summary: 'start or stop to count what transactions and calls reach of imported contracts, or show it (the default)',
  options: [['--lcov <FILE>', 'write it to a file that lcov, genhtml and editors read']],
  examples: [
    'understudy coverage start                count from now on',
    'understudy coverage                      percent of each contract',
    'understudy coverage --lcov lcov.info     and a file of lines, branches and functions',
  ],
  async run(network, [action = 'show'], { lcov }) {
    if (!actions.includes(action))
      throw new NetworkError('CONFIG_INVALID', {
        option: 'action',
        problem: `expected start, stop or show, got "${action}"`,
      })
    if (action === 'start') return network.call('dev_startCoverage')
    if (action === 'stop') await network.call('dev_stopCoverage')
    const report = await network.call('dev_getCoverage')
    if (report.startedAt === null) throw new NetworkError('COVERAGE_NOT_RUNNING', {})
    if (lcov !== undefined) await writeFile(String(lcov), lcovOf(report.files))
    return report
  },
  show(report: Report | Result<'dev_startCoverage'>) {
    if (!('contracts' in report))
      return 'Coverage counts from now on, in the memory of the network. Show it with: understudy coverage'
    const { contracts, unknownCodes, droppedCodes } = report
    if (contracts.length === 0)
      return 'No contracts are imported, so there is nothing to count. Import the contracts that you compiled with: understudy push'
    const counted = contracts.filter(({ hasLines }) => hasLines)
    const without = contracts.filter(({ hasLines }) => !hasLines).map(({ name }) => name)
    const rows = counted.map(({ name, lines, branches, functions }) => ({
      contract: name,
      lines: percent(lines),
      branches: percent(branches),
      functions: percent(functions),
    }))
    return [
      ...(counted.length > 0 ? [formatTable(rows), ''] : []),
      `${report.isRunning ? 'Counted since' : 'Stopped. Counted from'} ${report.startedAt}.`,
      ...(without.length > 0
        ? [`Imported without source maps, so not counted: ${without.slice(0, 20).join(', ')}.`]
        : []),
      ...(unknownCodes > 0 ? [`${unknownCodes} codes that ran are of no imported contract.`] : []),
      ...(droppedCodes > 0 ? [`${droppedCodes} codes that ran were not kept, because too many did.`] : []),
    ].join('\n')
  },
}

function percent({ reached, total }: Ratio): string {
  return total === 0 ? '-' : `${((100 * reached) / total).toFixed(1)} % (${reached}/${total})`
}
