import type { Result } from '@understudy/client/methods'
import { wholeNumberFrom } from './arguments.ts'
import type { RemoteCommand } from './command.ts'
import { formatTable } from './format.ts'

type Report = Result<'dev_checkFidelity'>

export const fidelity: RemoteCommand = {
  usage: 'fidelity',
  summary: "check that the live chain's newest transactions come out here as there",
  options: [
    ['--blocks <N>', 'at most so many blocks (default: 16)'],
    ['--transactions <N>', 'at most so many transactions (default: 200)'],
  ],
  run: (network, _, { blocks, transactions }) =>
    network.call('dev_checkFidelity', [
      {
        ...(blocks !== undefined && { blocks: wholeNumberFrom('--blocks', String(blocks), 1) }),
        ...(transactions !== undefined && { transactions: wholeNumberFrom('--transactions', String(transactions), 1) }),
      },
    ]),
  show({ differences, ...report }: Report) {
    const { transactions, transactionsAgree, blocks, blocksAgree, passed, fromBlock, toBlock, hardfork } = report
    const lines = [
      `${transactionsAgree} of ${transactions} transactions reproduce, and ${blocksAgree} of ${blocks} blocks (${fromBlock} to ${toBlock}), by the rules of ${hardfork}.`,
      ...passed.map(({ type, transactions: count }) => `${count} of type ${type} are not run here.`),
      ...(report.oddPrices.length > 0
        ? [`The live chain has no plain price for ${report.oddPrices.join('; ')}: gas of it differs.`]
        : []),
      ...(report.stopped === null ? [] : [`It ended early: ${report.stopped}`]),
    ]
    if (differences.length === 0) return lines.join('\n')
    const rows = differences.map(({ block, transaction, field, here, upstream, cause }) => ({
      block,
      transaction: transaction ?? '-',
      field,
      here,
      upstream,
      cause,
    }))
    const explanations = [...new Set(differences.map(({ explanation }) => explanation))]
    return [...lines, '', formatTable(rows), '', ...explanations].join('\n')
  },
}
