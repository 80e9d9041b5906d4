import { writeFile } from 'node:fs/promises'
import { divergencesAsJunit } from '@understudy/client/divergences'
import type { Command } from 'commander'
import { exitCodes } from '../ending.ts'
import { formatReport, type ShadowReport } from './report.ts'

export type ReportOptions = { report?: string; junit?: string; json?: boolean }

/** The options of commands that report what diverged. */
export const addReportOptions = (command: Command): Command =>
  command
    .option('--report <FILE>', 'where to write the report as JSON')
    .option('--junit <FILE>', 'where to write the report for JUnit')

type Delivery = {
  /** The name of the JUnit suite, and how long the run took. */
  suite: { name: string; seconds?: number }
  /** What the text for a terminal begins with. */
  heading: string
  print(text: string): void
  setCode(code: number): void
}

/** Writes the files that were asked for, prints the report, and sets the exit code if a transaction diverged. */
export async function deliverReport(
  report: ShadowReport,
  { report: file, junit, json }: ReportOptions,
  { suite, heading, print, setCode }: Delivery,
): Promise<void> {
  const text = `${JSON.stringify(report, null, 2)}\n`
  if (file !== undefined) await writeFile(file, text)
  const { divergences, counts } = report
  if (junit !== undefined) await writeFile(junit, divergencesAsJunit(divergences, { ...suite, same: counts.same }))
  print(json ? text : `${heading}${formatReport(report)}\n`)
  if (divergences.length > 0) setCode(exitCodes.failed)
}
