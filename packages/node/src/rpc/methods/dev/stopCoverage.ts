import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { coverageStatusFields, encodeCoverageStatus } from '../../encode/runs/coverage.ts'

export const stopCoverage = defineMethod({
  name: 'dev_stopCoverage',
  summary: 'Ends counting coverage. The counts can be read until counting starts again.',
  role: 'admin',
  params: {},
  result: z.object(coverageStatusFields),
  errors: ['COVERAGE_NOT_RUNNING'],
  example: { params: [], result: { isRunning: false, startedAt: '2024-10-20T12:00:00.000Z' } },
  handler: ({ coverage }) => encodeCoverageStatus(coverage.stop()),
})
