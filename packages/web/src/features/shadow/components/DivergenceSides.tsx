import { Link } from '@tanstack/react-router'
import { TransactionLink } from '../../../components/HashLink.tsx'
import { exactAmount, formatInteger } from '../../../format/amount.ts'
import { shorten } from '../../../format/hash.ts'
import { buttonStyle } from '../../../ui/Button.tsx'
import { type Divergence, useFailureLine } from '../api/shadow.ts'

type Side = string | null
type Row = { name: string; title?: string; live: Side; shadow: Side }

/** What came of a transaction, side by side. */
export function DivergenceSides({ found }: { found: Divergence }) {
  const { hash, reason, causedBy, shadow, truncated } = found
  const { data: line } = useFailureLine(hash)
  return (
    <div className="space-y-2 py-2 text-xs">
      {reason !== null && <p className="break-words text-warn">{reason}</p>}
      {line?.file && (
        <p className="break-all">
          Fails here at {line.file}:{line.line} in {line.function}
        </p>
      )}
      {causedBy.length > 0 && (
        <p className="flex flex-wrap items-center gap-2 text-soft">
          Because of
          {causedBy.map((earlier) => (
            <TransactionLink key={earlier} hash={earlier} />
          ))}
        </p>
      )}
      <table className="w-full table-fixed border-collapse">
        <thead>
          <tr className="text-left text-soft">
            <th className="w-1/4 py-1 pr-2 font-medium">What</th>
            <th className="py-1 pr-2 font-medium">Live chain</th>
            <th className="py-1 font-medium">Here</th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(found).map(({ name, title, live, shadow: here }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a divergence never change their order
            <tr key={index} className="border-line border-t align-top">
              <th scope="row" title={title} className="break-words py-1 pr-2 text-left font-normal text-soft">
                {name}
              </th>
              <td className={`break-all py-1 pr-2 ${live === here ? 'text-soft' : ''}`}>{live ?? '—'}</td>
              <td className={`break-all py-1 ${live === here ? 'text-soft' : 'font-medium'}`}>{here ?? '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {truncated && <p className="text-soft">Some lists were cut off.</p>}
      {shadow && (
        <p className="flex flex-wrap gap-1.5">
          <Link to="/tx/$hash" params={{ hash }} search={{ tab: 'debug' }} className={buttonStyle('plain')}>
            Debug
          </Link>
          <Link to="/tx/$hash" params={{ hash }} search={{ tab: 'compare' }} className={buttonStyle('plain')}>
            Compare with the live state
          </Link>
        </p>
      )}
    </div>
  )
}

function rowsOf({ live, shadow, logs, balances, tokens, storage }: Divergence): Row[] {
  return [
    { name: 'Status', live: withReason(live), shadow: shadow && withReason(shadow) },
    { name: 'Gas', live: gasOf(live), shadow: shadow && gasOf(shadow) },
    ...logs.map((pair) => ({ name: 'Event', live: eventOf(pair.live), shadow: eventOf(pair.shadow) })),
    ...tokens.map(({ token, holder, symbol, decimals, ...sides }) => {
      const unit = symbol ?? shorten(token)
      const show = (value: Side) => amountOf(value ?? '0', decimals ?? 0, unit)
      return {
        name: `${unit} of ${shorten(holder)}`,
        title: holder,
        live: show(sides.live),
        shadow: show(sides.shadow),
      }
    }),
    ...balances.map(({ address, ...sides }) => {
      const show = (value: Side) => amountOf(value ?? '0', 18, 'ETH')
      return {
        name: `Ether of ${shorten(address)}`,
        title: address,
        live: show(sides.live),
        shadow: show(sides.shadow),
      }
    }),
    ...storage.map(({ address, slot, variables, ...sides }) => {
      const name = variables.length > 0 ? variables.join(', ') : `Slot ${shorten(slot)} of ${shorten(address)}`
      return { name, title: `${slot} of ${address}`, live: wordOf(sides.live), shadow: wordOf(sides.shadow) }
    }),
  ]
}

const withReason = ({ status, reason }: Divergence['live']) => (reason === null ? status : `${status}: ${reason}`)
const gasOf = ({ gasUsed }: Divergence['live']) => formatInteger(BigInt(gasUsed))

function amountOf(value: string, decimals: number, unit: string): string {
  const amount = BigInt(value)
  const sign = amount > 0n ? '+' : amount < 0n ? '−' : ''
  return `${sign}${exactAmount(amount < 0n ? -amount : amount, decimals)} ${unit}`
}

/** Small words are numbers, mostly. */
function wordOf(word: Side): Side {
  if (word === null) return null
  const value = BigInt(word)
  return value < 2n ** 128n ? formatInteger(value) : word
}

function eventOf(log: Divergence['logs'][number]['live']): Side {
  if (!log) return null
  const values = log.event?.args?.map(
    ({ name, value }) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${log.event?.name ?? log.topics[0] ?? 'log'}(${values?.join(', ') ?? log.data})`
}
