import type { Params, Result } from '@understudy/client/methods'
import { wholeNumberFrom } from './arguments.ts'
import type { RemoteCommand } from './command.ts'
import { formatTable } from './format.ts'

type Report = Result<'dev_forecast'>

export const forecast: RemoteCommand = {
  usage: 'forecast [addresses...]',
  summary: 'list recent transactions that would fail, cost more or log differently under another hardfork',
  options: [
    ['--hardfork <NAME>', 'the hardfork to run them by (default: amsterdam)'],
    ['--blocks <N>', 'the newest blocks to run (default: 16)'],
  ],
  run: (network, [addresses], { hardfork, blocks }) =>
    network.call('dev_forecast', [
      {
        hardfork: String(hardfork ?? 'amsterdam'),
        ...(blocks !== undefined && { blocks: wholeNumberFrom('--blocks', String(blocks), 1) }),
        ...(addresses !== undefined && addresses.length > 0 && { addresses: [...addresses] }),
      },
    ] as Params<'dev_forecast'>),
  show({ entries, ...report }: Report) {
    const { hardfork, transactions, fromBlock, toBlock, fails, needsGas, costsMore, logsDiffer, transferLogs } = report
    const lines = [
      `Of ${transactions} transactions in the blocks ${fromBlock} to ${toBlock}, under ${hardfork} ${fails} fail, ${needsGas} need a higher gas limit, ${costsMore} cost more and ${logsDiffer} have other logs.`,
      ...(transferLogs > 0 ? [`${transferLogs} have additional logs of ether transfers.`] : []),
      ...(report.stopped === null ? [] : [`It ended early: ${report.stopped}`]),
    ]
    if (entries.length === 0) return lines.join('\n')
    const rows = entries.map(
      ({ block, transaction, effect, gasLimit, gasUsed, forecastGasUsed, reason, logs, forecastLogs }) => ({
        block,
        transaction,
        effect: reason === null ? effect : `${effect}: ${reason}`,
        'gas limit': gasLimit,
        'gas now': gasUsed,
        'gas then': forecastGasUsed,
        logs: `${logs} → ${forecastLogs}`,
      }),
    )
    return [...lines, '', formatTable(rows)].join('\n')
  },
}
