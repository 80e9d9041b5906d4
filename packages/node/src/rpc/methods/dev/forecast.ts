import { forks } from '@understudy/evm'
import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { wholeNumber } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { DecimalString, HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

const Count = z.number()

/** Block numbers and counts are JSON numbers here, gas decimal. */
export const forecast = defineMethod({
  name: 'dev_forecast',
  summary:
    'Runs the transactions of the newest blocks again, by the rules of another hardfork, and lists those that would fail, need a higher gas limit, cost more or log differently. `addresses`: only transactions that one of them sends or that call it.',
  role: 'read',
  isSlow: true,
  params: {
    request: z.strictObject({
      hardfork: z.enum(forks),
      blocks: withDefault(wholeNumber(1, 256), 16),
      addresses: withDefault(z.array(Address).max(100), []),
    }),
  },
  result: z.object({
    hardfork: z.string(),
    fromBlock: z.number(),
    toBlock: z.number(),
    transactions: Count,
    fails: Count,
    needsGas: Count,
    costsMore: Count,
    logsDiffer: Count,
    transferLogs: Count,
    stopped: z.string().nullable(),
    entries: z.array(
      z.object({
        block: z.number(),
        transaction: HexWord,
        from: HexAddress,
        to: HexAddress.nullable(),
        effect: z.enum(['fails', 'needs gas', 'costs more', 'logs']),
        gasLimit: DecimalString,
        gasUsed: DecimalString,
        forecastGasUsed: DecimalString,
        reason: z.string().nullable(),
        logs: Count,
        forecastLogs: Count,
      }),
    ),
  }),
  fields: {
    hardfork: 'The hardfork by whose rules the transactions run.',
    blocks: 'Runs the transactions of at most so many blocks.',
    addresses: 'Runs only transactions that one of these accounts sends or that call one of them.',
  },
  errors: ['EXECUTION_TOO_LONG'],
  example: {
    params: [{ hardfork: 'amsterdam', blocks: 16 }],
    result: {
      hardfork: 'amsterdam',
      fromBlock: 20999985,
      toBlock: 21000000,
      transactions: 2410,
      fails: 0,
      needsGas: 1,
      costsMore: 0,
      logsDiffer: 0,
      transferLogs: 702,
      stopped: null,
      entries: [
        {
          block: 21000000,
          transaction: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
          from: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
          to: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
          effect: 'needs gas',
          gasLimit: '50000',
          gasUsed: '45038',
          forecastGasUsed: '136618',
          reason: 'out of gas',
          logs: 1,
          forecastLogs: 2,
        },
      ],
    },
  },
  async handler({ forecaster }, { request: { hardfork, blocks, addresses } }) {
    const { effects, ...found } = await forecaster.forecast({ fork: hardfork, blocks, addresses })
    return {
      hardfork: found.fork,
      fromBlock: Number(found.fromBlock),
      toBlock: Number(found.toBlock),
      transactions: found.transactions,
      fails: effects.fails,
      needsGas: effects['needs gas'],
      costsMore: effects['costs more'],
      logsDiffer: effects.logs,
      transferLogs: found.transferLogs,
      stopped: found.stopped ?? null,
      entries: found.entries.map(({ block, to, gasLimit, gasUsed, forecastGasUsed, reason, ...entry }) => ({
        ...entry,
        block: Number(block),
        to: to ?? null,
        gasLimit: gasLimit.toString(),
        gasUsed: gasUsed.toString(),
        forecastGasUsed: forecastGasUsed.toString(),
        reason: reason ?? null,
      })),
    }
  },
})
