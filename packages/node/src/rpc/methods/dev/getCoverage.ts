import { Address } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { CoverageObject, encodeCoverage } from '../../encode/runs/coverage.ts'

export const getCoverage = defineMethod({
  name: 'dev_getCoverage',
  summary:
    'Returns which lines, branches and functions of imported contracts transactions and calls have reached since `dev_startCoverage`; with an address, only of the contracts that its code was recognised as. Of several nodes, the one that seals counts.',
  role: 'read',
  isSlow: true,
  readsPool: 'always',
  params: { address: optional(Address) },
  result: CoverageObject,
  fields: {
    address: 'Only contracts that the code at this address is recognised as.',
  },
  example: {
    params: [],
    result: {
      isRunning: true,
      startedAt: '2024-10-20T12:00:00.000Z',
      unknownCodes: 2,
      droppedCodes: 0,
      contracts: [
        {
          contractId: 'pc_k3v0x7p1w9q2m5n8b4c6d7fz',
          name: 'Counter',
          sourcePath: 'src/Counter.sol',
          hasLines: true,
          lines: { reached: 2, total: 3 },
          branches: { reached: 1, total: 2 },
          functions: { reached: 1, total: 2 },
        },
      ],
      files: [
        {
          path: 'src/Counter.sol',
          reachedLines: [8, 9],
          missedLines: [13],
          functions: [
            { name: 'Counter.increment', line: 7, isReached: true },
            { name: 'Counter.reset', line: 12, isReached: false },
          ],
          branches: [{ line: 8, fallsThrough: false, jumps: true }],
        },
      ],
    },
  },
  handler: async ({ coverage }, { address }) => encodeCoverage(await coverage.report(address)),
})
