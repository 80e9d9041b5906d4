import { writeFile } from 'node:fs/promises'
import { divergencesAsJunit } from '@understudy/client'
import type { Command } from 'commander'
import { exitCodes } from '../exitCodes.ts'
import { addNetworkOptions, type Given, networkOf } from '../remote/command.ts'
import { connectTo } from '../remote/network.ts'
import { loadShadowReport } from './loadDivergences.ts'
import { formatReport } from './report.ts'

const examples = `
Examples:
  understudy divergences
  understudy divergences --rule "ignore gas below 2 %" --report report.json --junit report.xml`

/** Adds `divergences`, which reports what diverged on a running network. */
export function addDivergencesCommand(
  program: Command,
  print: (text: string) => void,
  setCode: (code: number) => void,
): Command {
  const several = (value: string, previous: string[] | undefined) => [...(previous ?? []), value]
  const command = program
    .command('divergences')
    .summary("report the live chain's transactions that came out otherwise")
    .description(
      "Reports the live chain's transactions that came out otherwise on a network that shadows it. Exits with 1 if one diverged that no rule expects.",
    )
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'print this help')
    .option('--rule <RULE>', 'what is expected to differ, instead of the rules that were set', several)
    .option('--report <FILE>', 'where to write the report as JSON')
    .option('--junit <FILE>', 'where to write the report for JUnit')
  addNetworkOptions(command).option('--json', 'print the report as JSON').addHelpText('after', examples)
  command.action(async () => {
    const given = command.opts<Given>()
    const { url, apiKey } = networkOf(given)
    const rules = given.rule as string[] | undefined
    const report = await loadShadowReport(connectTo(url, apiKey), rules ? { rules } : {})
    const json = `${JSON.stringify(report, null, 2)}\n`
    if (given.report !== undefined) await writeFile(String(given.report), json)
    const suite = { name: `divergences at ${url}`, same: report.counts.same }
    if (given.junit !== undefined) await writeFile(String(given.junit), divergencesAsJunit(report.divergences, suite))
    print(given.json ? json : `${formatReport(report)}\n`)
    if (report.divergences.length > 0) setCode(exitCodes.failed)
  })
  return command
}
