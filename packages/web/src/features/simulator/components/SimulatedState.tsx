import { type SimulatedCall, stateChangesOf, tokenOf } from '@understudy/client/simulations'
import { BeforeAfter } from '../../../components/BeforeAfter.tsx'
import { exactAmount, formatInteger } from '../../../format/amount.ts'
import { shorten } from '../../../format/hash.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { useCurrency } from '../../../ui/currency.ts'
import { Party } from './SimulatedAssets.tsx'

/** Changes of one account that are drawn. The file has all of them. */
const rowLimit = 200

/** What changes of each account, by the names of its variables where they are known. */
export function SimulatedState({ call }: { call: SimulatedCall }) {
  const currency = { symbol: useCurrency(), decimals: 18 }
  return (
    <ul aria-label="State changes" className="divide-y divide-line">
      {call.stateChanges.map((account) => {
        const changes = stateChangesOf(account, currency)
        return (
          <li key={account.address} className="px-3 py-2">
            <span className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
              <Party call={call} address={account.address} />
              {account.isCleared && <Badge>new storage</Badge>}
            </span>
            <div className="mt-1 space-y-0.5">
              {changes.slice(0, rowLimit).map(({ name, before, after, slot }) => (
                <div
                  key={`${slot} ${name}`}
                  className="grid items-baseline gap-x-3 text-sm md:grid-cols-[minmax(8rem,20rem)_minmax(0,1fr)]"
                >
                  <span className="hex min-w-0 break-words text-soft text-xs" title={slot}>
                    {name === slot ? `slot ${shorten(slot)}` : name}
                  </span>
                  <span className="hex flex min-w-0 flex-wrap items-center gap-2 break-all">
                    <BeforeAfter
                      before={shownValue(before)}
                      after={shownValue(after)}
                      difference={differenceOf(call, account.address, before, after)}
                    />
                  </span>
                </div>
              ))}
              {changes.length > rowLimit && (
                <p className="text-soft text-xs">and {formatInteger(changes.length - rowLimit)} more in the JSON</p>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

const isWhole = (text: string) => /^-?\d{1,78}$/.test(text)

/** Whole numbers in groups of digits; words without their leading zeros. */
function shownValue(text: string): string {
  if (isWhole(text)) return formatInteger(BigInt(text))
  return /^0x0+[\da-f]+$/.test(text) && text.length === 66 ? `0x${text.slice(2).replace(/^0+(?=.)/, '')}` : text
}

/** Of whole numbers; in the unit of the token if so much of it moved or was approved. */
function differenceOf(call: SimulatedCall, address: string, before: string, after: string): string | undefined {
  if (!isWhole(before) || !isWhole(after)) return undefined
  const difference = BigInt(after) - BigInt(before)
  const size = difference < 0n ? -difference : difference
  const sign = difference > 0n ? '+' : '−'
  const token = tokenOf(call, address)
  const isAmount = [...call.assetChanges, ...call.approvals].some(
    (change) => change.token === address && change.amount === size.toString(),
  )
  if (token && typeof token.decimals === 'number' && isAmount)
    return `${sign}${exactAmount(size, token.decimals)} ${token.symbol ?? ''}`
  return `${sign}${formatInteger(size)}`
}
