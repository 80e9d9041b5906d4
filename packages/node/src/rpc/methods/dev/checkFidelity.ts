import { z } from 'zod'
import { wholeNumber } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { HexWord, Timestamp } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

const defaults = { blocks: 16, transactions: 200 }

/** Numbers are JSON numbers here, times ISO 8601. */
export const checkFidelity = defineMethod({
  name: 'dev_checkFidelity',
  summary:
    "Runs the live chain's newest transactions here, each on the state before it, and compares status, gas, logs, receipts and base fee. Stops after `blocks` blocks or `transactions` transactions, whichever comes first.",
  role: 'read',
  isSlow: true,
  params: {
    range: withDefault(
      z.strictObject({
        blocks: withDefault(wholeNumber(1, 256), defaults.blocks),
        transactions: withDefault(wholeNumber(1, 5000), defaults.transactions),
      }),
      defaults,
    ),
  },
  result: z.object({
    checkedAt: Timestamp,
    hardfork: z.string(),
    fromBlock: z.number(),
    toBlock: z.number(),
    blocks: z.number(),
    blocksAgree: z.number(),
    transactions: z.number(),
    transactionsAgree: z.number(),
    passed: z.array(z.object({ type: z.string(), transactions: z.number() })),
    stopped: z.string().nullable(),
    oddPrices: z.array(z.string()),
    differences: z.array(
      z.object({
        block: z.number(),
        transaction: HexWord.nullable(),
        field: z.enum(['validity', 'status', 'gasUsed', 'logs', 'baseFeePerGas', 'receiptsRoot']),
        here: z.string(),
        upstream: z.string(),
        cause: z.enum(['rule', 'fee', 'precompile', 'state', 'earlier', 'unknown']),
        explanation: z.string(),
      }),
    ),
  }),
  fields: {
    blocks: 'Runs the transactions of at most so many blocks.',
    transactions: 'Runs at most so many transactions.',
  },
  errors: ['UNSUPPORTED', 'UPSTREAM_UNAVAILABLE'],
  example: {
    params: [{ transactions: 200 }],
    result: {
      checkedAt: '2024-10-20T12:00:00.000Z',
      hardfork: 'cancun',
      fromBlock: 20999999,
      toBlock: 21000000,
      blocks: 2,
      blocksAgree: 1,
      transactions: 200,
      transactionsAgree: 199,
      passed: [{ type: '0x6', transactions: 2 }],
      stopped: null,
      oddPrices: [],
      differences: [
        {
          block: 21000000,
          transaction: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
          field: 'status',
          here: 'failed: invalid opcode',
          upstream: 'success',
          cause: 'rule',
          explanation: 'It reproduces by the rules of prague, and not by those of cancun: see --hardfork.',
        },
      ],
    },
  },
  async handler({ fidelity }, { range }) {
    const report = await fidelity.check(range)
    return {
      ...report,
      checkedAt: new Date(report.checkedAt).toISOString(),
      fromBlock: Number(report.fromBlock),
      toBlock: Number(report.toBlock),
      differences: report.differences.map((difference) => ({ ...difference, block: Number(difference.block) })),
    }
  },
})
