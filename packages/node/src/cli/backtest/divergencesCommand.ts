import type { Command } from 'commander'
import { addNetworkOptions, type Given, networkOf } from '../remote/command.ts'
import { connectTo } from '../remote/network.ts'
import { addReportOptions, deliverReport, type ReportOptions } from './deliverReport.ts'
import { loadShadowReport } from './report.ts'

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
  addNetworkOptions(addReportOptions(command))
    .option('--json', 'print the report as JSON')
    .addHelpText('after', examples)
  command.action(async () => {
    const given = command.opts<ReportOptions & { rule?: string[] } & Given>()
    const { url, apiKey } = networkOf(given)
    const report = await loadShadowReport(connectTo(url, apiKey), given.rule ? { rules: given.rule } : {})
    await deliverReport(report, given, { suite: { name: `divergences at ${url}` }, heading: '', print, setCode })
  })
  return command
}
