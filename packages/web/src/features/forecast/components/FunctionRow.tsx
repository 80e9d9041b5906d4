import {
  causeText,
  type ForecastFinding,
  type ForecastFunction,
  locationText,
  type Verdict,
  verdictOf,
} from '@understudy/client/forecasts'
import { Account } from '../../../components/Account.tsx'
import { TransactionLink } from '../../../components/HashLink.tsx'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'

const tones: Record<Verdict, Tone> = {
  breaks: 'bad',
  'needs a higher gas limit': 'warn',
  'costs more': 'neutral',
  'logs differ': 'neutral',
  fine: 'good',
}

/** The verdict of a function, with the lines that show why. */
export function FunctionRow({ forecast }: { forecast: ForecastFunction }) {
  const { address, contract, function: signature, transactions, findings, gasUsed, forecastGasUsed } = forecast
  const verdict = verdictOf(forecast)
  return (
    <li className="space-y-1 px-3 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={tones[verdict]}>{verdict}</Badge>
        <span className="min-w-0 break-words" title={signature}>
          {contract ?? <Account address={address} />} <span className="font-medium">{signature.split('(')[0]}</span>
        </span>
        <span className="text-soft text-xs">
          {formatCount(transactions, 'transaction')}, gas {formatInteger(BigInt(gasUsed))} →{' '}
          {formatInteger(BigInt(forecastGasUsed))}
        </span>
      </div>
      {findings.map((finding) => (
        <Finding key={JSON.stringify([finding.cause, finding.gas, finding.location])} finding={finding} />
      ))}
    </li>
  )
}

function Finding({ finding }: { finding: ForecastFinding }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-xs">
      <span className="hex min-w-0 break-all">{locationText(finding.location)}</span>
      <span className="min-w-0 break-words text-soft">{causeText(finding)}</span>
      <span className="text-soft">
        {formatCount(finding.transactions, 'transaction')}, such as <TransactionLink hash={finding.transaction} />
      </span>
    </p>
  )
}
