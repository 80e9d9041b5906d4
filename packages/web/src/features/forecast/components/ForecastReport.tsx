import { contractsNotCalled, type Forecast, notesOf, percentOf, repricingStudy } from '@understudy/client/forecasts'
import { Account } from '../../../components/Account.tsx'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { FunctionRow } from './FunctionRow.tsx'

const shownFunctions = 200
const shownContracts = 50

/** Shares of transactions beside those of the study, and the verdict of each function. */
export function ForecastReport({ report, addresses }: { report: Forecast; addresses: readonly string[] }) {
  const { transactions, blocks, fromBlock, toBlock, functions } = report
  const notCalled = contractsNotCalled(report, addresses)
  const where = `in ${formatInteger(blocks)} of the blocks ${formatInteger(fromBlock)} to ${formatInteger(toBlock)}`
  return (
    <>
      <Panel title="Transactions" note={`${formatCount(transactions, 'transaction')} ${where}`}>
        <Shares report={report} />
        {notesOf(report).map((note) => (
          <p key={note} className="break-words px-3 pb-2 text-soft text-xs">
            {note}
          </p>
        ))}
      </Panel>
      <Panel title="Functions" note={functions.length > shownFunctions ? `the first ${shownFunctions}` : undefined}>
        {functions.length === 0 ? (
          <Empty title="No transaction calls them">Take more blocks, or other contracts.</Empty>
        ) : (
          <ul aria-label="Functions" className="divide-y divide-line">
            {functions.slice(0, shownFunctions).map((each) => (
              <FunctionRow key={`${each.address}${each.function}`} forecast={each} />
            ))}
          </ul>
        )}
      </Panel>
      {notCalled.length > 0 && (
        <Panel title="Not called" note="No transaction of these blocks calls them, so nothing is known" padded>
          <ul aria-label="Not called" className="flex flex-wrap gap-2 text-sm">
            {notCalled.slice(0, shownContracts).map((address) => (
              <li key={address}>
                <Account address={address as `0x${string}`} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

function Shares({ report: { transactions, fails, needsGas, costsMore, logsDiffer } }: { report: Forecast }) {
  const [first, second] = repricingStudy.proposals
  const rows = [
    { name: 'May break', count: fails, studied: [first.mayBreak, second.mayBreak] },
    { name: 'Need a higher gas limit', count: needsGas, studied: [first.needsGas, second.needsGas] },
    { name: 'Cost more', count: costsMore, studied: [] },
    { name: 'Have other logs', count: logsDiffer, studied: [] },
  ]
  return (
    <div className="overflow-x-auto px-3 py-2">
      <table className="w-full text-sm">
        <thead className="text-left text-soft text-xs">
          <tr>
            <th className="py-1 pr-3 font-medium" scope="col">
              Outcome
            </th>
            {['Here', 'Share', first.name, second.name].map((name) => (
              <th key={name} className="py-1 pl-3 text-right font-medium" scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, studied: [one, two] }) => (
            <tr key={name} className="border-line border-t">
              <th className="py-1 pr-3 text-left font-normal" scope="row">
                {name}
              </th>
              <td className="number whitespace-nowrap py-1 pl-3 text-right">{formatInteger(count)}</td>
              <td className="number whitespace-nowrap py-1 pl-3 text-right">{percentOf(count, transactions)}</td>
              <td className="number whitespace-nowrap py-1 pl-3 text-right text-soft">
                {one === undefined ? '' : `${one} %`}
              </td>
              <td className="number whitespace-nowrap py-1 pl-3 text-right text-soft">
                {two === undefined ? '' : `${two} %`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="pt-1 text-soft text-xs">
        The right columns are the Ethereum Foundation's study of {repricingStudy.transactions} transactions, for each
        proposal alone.
      </p>
    </div>
  )
}
