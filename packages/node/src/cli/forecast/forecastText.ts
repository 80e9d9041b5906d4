import {
  causeText,
  contractsNotCalled,
  type Forecast,
  type ForecastFunction,
  locationText,
  notesOf,
  percentOf,
  repricingStudy,
  verdictOf,
} from '@understudy/client/forecasts'
import { readableText } from '../../shared/readableText.ts'
import { formatTable } from '../remote/format.ts'

/** So many functions, and contracts that no transaction calls, are printed: files have all. */
const shownLimit = 50

/** A forecast for a terminal. */
export function formatForecast(report: Forecast, addresses: readonly string[]): string {
  const { transactions, hardfork, fails, needsGas, costsMore, logsDiffer, fromBlock, toBlock, blocks } = report
  const share = (count: number) => percentOf(count, transactions)
  const [first, second] = repricingStudy.proposals
  const lines = [
    `Of ${transactions} transactions in ${blocks} of the blocks ${fromBlock} to ${toBlock}, under ${hardfork} ${fails} fail, ${needsGas} need a higher gas limit, ${costsMore} cost more and ${logsDiffer} have other logs.`,
    ...notesOf(report),
    `May break: ${share(fails)}, in the study ${first.mayBreak} % (${first.name}) and ${second.mayBreak} % (${second.name}). Need a higher gas limit: ${share(needsGas)}, in the study ${first.needsGas} % and ${second.needsGas} %.`,
    ...tableOf(report.functions),
    ...report.functions.slice(0, shownLimit).flatMap(findingsOf),
    ...notCalled(contractsNotCalled(report, addresses)),
  ]
  return lines.join('\n')
}

function tableOf(functions: readonly ForecastFunction[]): string[] {
  if (functions.length === 0) return []
  const rows = functions.slice(0, shownLimit).map((each) => ({
    contract: each.contract ?? each.address,
    function: each.function,
    verdict: verdictOf(each),
    transactions: each.transactions,
    fail: each.fails,
    'need gas': each.needsGas,
    'cost more': each.costsMore,
    'other logs': each.logsDiffer,
    gas: `${each.gasUsed} → ${each.forecastGasUsed}`,
  }))
  const left = functions.length - rows.length
  return ['', formatTable(rows), ...(left > 0 ? [`and ${left} more: see --json`] : []), '']
}

const findingsOf = ({ contract, address, function: name, findings }: ForecastFunction): string[] =>
  findings.map((finding) =>
    readableText(
      `${contract ?? address} ${name}: ${locationText(finding.location)} ${causeText(finding)} (${finding.transactions}, such as ${finding.transaction})`,
    ),
  )

function notCalled(addresses: readonly string[]): string[] {
  if (addresses.length === 0) return []
  const shown = addresses.slice(0, shownLimit).map(readableText).join(', ')
  return [
    `No transaction of these blocks calls ${addresses.length} of the contracts: ${shown}${addresses.length > shownLimit ? '…' : ''}`,
  ]
}
