import { z } from 'zod'
import type { CoverageReport, CoverageStatus } from '../../../traces/coverage/coverage.ts'
import type { FileCoverage } from '../../../traces/coverage/sourceCoverage.ts'
import { Timestamp } from '../../codecs/wire.ts'

export const coverageStatusFields = {
  isRunning: z.boolean(),
  /** When it was started last. Null if it was not since the start of the network. */
  startedAt: Timestamp.nullable(),
}

const Ratio = z.object({ reached: z.number(), total: z.number() }).meta({ title: 'Ratio' })

const FileObject = z
  .object({
    path: z.string(),
    /** Numbers of lines with code, from 1. */
    reachedLines: z.array(z.number()),
    missedLines: z.array(z.number()),
    functions: z.array(z.object({ name: z.string(), line: z.number(), isReached: z.boolean() })),
    /** `fallsThrough`: the condition's jump was not taken; `jumps`: it was. Which of them is true is the compiler's choice. */
    branches: z.array(z.object({ line: z.number(), fallsThrough: z.boolean(), jumps: z.boolean() })),
  })
  .meta({ title: 'FileCoverage' })

export const CoverageObject = z
  .object({
    ...coverageStatusFields,
    /** Codes that ran and are of no imported contract. */
    unknownCodes: z.number(),
    /** Codes that ran while too many others were kept. */
    droppedCodes: z.number(),
    contracts: z.array(
      z.object({
        contractId: z.string(),
        name: z.string(),
        sourcePath: z.string().nullable(),
        /** False if it was imported without source maps: then nothing of it counts. */
        hasLines: z.boolean(),
        lines: Ratio,
        branches: Ratio,
        functions: Ratio,
      }),
    ),
    files: z.array(FileObject),
  })
  .meta({ title: 'Coverage' })

export function encodeCoverageStatus({ isRunning, startedAt }: CoverageStatus) {
  return { isRunning, startedAt: startedAt === undefined ? null : new Date(startedAt).toISOString() }
}

export function encodeCoverage({ contracts, files, unknownCodes, droppedCodes, ...status }: CoverageReport) {
  return {
    ...encodeCoverageStatus(status),
    unknownCodes,
    droppedCodes,
    contracts: contracts.map((contract) => ({ ...contract, sourcePath: contract.sourcePath ?? null })),
    files: files.map(encodeFile),
  }
}

function encodeFile({ path, lines, functions, branches }: FileCoverage) {
  const numbers = [...lines.keys()].sort((a, b) => a - b)
  return {
    path,
    reachedLines: numbers.filter((line) => lines.get(line)),
    missedLines: numbers.filter((line) => !lines.get(line)),
    functions: [...functions]
      .map(([name, each]) => ({ name, line: each.line, isReached: each.isBodyReached ?? each.isEntered }))
      .sort((a, b) => a.line - b.line),
    branches: [...branches]
      .sort(([a], [b]) => a - b)
      .map(([, { line, outcomes }]) => ({ line, fallsThrough: outcomes[0], jumps: outcomes[1] })),
  }
}
