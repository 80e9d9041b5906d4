import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { coverageStatusFields, encodeCoverageStatus } from '../../encode/runs/coverage.ts'

export const startCoverage = defineMethod({
  name: 'dev_startCoverage',
  summary:
    'Starts to count which lines, branches and functions of imported contracts transactions and calls reach, and forgets what was counted before. The counts are in memory: a restart or reset ends them.',
  role: 'admin',
  params: {},
  result: z.object(coverageStatusFields),
  example: { params: [], result: { isRunning: true, startedAt: '2024-10-20T12:00:00.000Z' } },
  handler: ({ coverage }) => encodeCoverageStatus(coverage.start()),
})
