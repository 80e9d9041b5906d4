import { forks } from '@understudy/evm'
import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { wholeNumber } from '../../codecs/numbers.ts'
import { optional, withDefault } from '../../codecs/optional.ts'
import { blockFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeForecast, ForecastObject } from '../../encode/runs/forecast.ts'
import { logErrors } from '../../errorGroups.ts'

export const forecast = defineMethod({
  name: 'dev_forecast',
  summary:
    'Runs transactions again, by the rules of another hardfork, and lists those that would fail, need a higher gas limit, cost more or log differently, for each function of a contract, with the line and the cause. Of a range with more blocks than `blocks`, it runs a sample: first blocks in which `addresses` logged something.',
  role: 'read',
  isSlow: true,
  params: {
    request: z.strictObject({
      hardfork: z.enum(forks),
      blocks: withDefault(wholeNumber(1, 256), 16),
      fromBlock: optional(blockFields.fromBlock),
      toBlock: optional(blockFields.toBlock),
      addresses: withDefault(z.array(Address).max(1000), []),
    }),
  },
  result: ForecastObject,
  fields: {
    hardfork: 'The hardfork by whose rules the transactions run.',
    blocks: 'Runs the transactions of at most so many blocks.',
    fromBlock: 'The first block of the range of which blocks are taken. Default: the newest blocks.',
    toBlock: 'The last block of that range. Default: the newest block.',
    addresses: 'Runs only transactions that one of these accounts sends or that call one of them.',
  },
  errors: ['EXECUTION_TOO_LONG', ...logErrors],
  example: {
    params: [{ hardfork: 'amsterdam', blocks: 16 }],
    result: {
      hardfork: 'amsterdam',
      fromBlock: 20999985,
      toBlock: 21000000,
      blocks: 16,
      transactions: 2410,
      fails: 1,
      needsGas: 0,
      costsMore: 0,
      logsDiffer: 0,
      transferLogs: 702,
      passed: [{ type: '0x6', transactions: 3 }],
      refused: 0,
      stopped: null,
      functions: [
        {
          address: '0xd13ff7e92b58c0b221a612abbd33960e6f2d4d72',
          contract: 'Treasury',
          function: 'pay(address,uint256)',
          transactions: 12,
          fails: 1,
          needsGas: 0,
          costsMore: 0,
          logsDiffer: 0,
          gasUsed: '612310',
          forecastGasUsed: '598021',
          findings: [
            {
              effect: 'fails',
              cause: 'stipend',
              reason: 'out of gas',
              gas: '2300',
              location: {
                file: 'src/Treasury.sol',
                line: 31,
                function: 'Treasury.pay',
                contract: 'Treasury',
                address: '0xd13ff7e92b58c0b221a612abbd33960e6f2d4d72',
              },
              transactions: 1,
              transaction: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
            },
          ],
        },
      ],
      entries: [
        {
          block: 21000000,
          transaction: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
          from: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
          to: '0xd13ff7e92b58c0b221a612abbd33960e6f2d4d72',
          effect: 'fails',
          cause: 'stipend',
          gasLimit: '90000',
          gasUsed: '55038',
          forecastGasUsed: '58618',
          reason: 'out of gas',
          logs: 1,
          forecastLogs: 0,
        },
      ],
    },
  },
  handler: async ({ forecaster }, { request: { hardfork: fork, ...request } }) =>
    encodeForecast(await forecaster.forecast({ fork, ...request })),
})
