import { useState } from 'react'
import { exactAmount, readableAmount, readableWei } from '../format/amount.ts'
import { useCurrency } from './currency.ts'

type Props = {
  value: bigint
  /** The chain's own currency when left out. */
  token?: { symbol: string; decimals: number }
  className?: string
}

/** An amount in a readable unit. A click switches between the short form and every digit. */
export function Amount({ value, token, className = '' }: Props) {
  const currency = useCurrency()
  const [isExact, setExact] = useState(false)
  const short = token
    ? { text: readableAmount(value, token.decimals), unit: token.symbol }
    : readableWei(value, currency)
  const exact = token
    ? `${exactAmount(value, token.decimals)} ${token.symbol}`
    : `${exactAmount(value, 18)} ${currency}`
  const smallest = `${value} ${token ? 'smallest units' : 'wei'}`
  return (
    <button
      type="button"
      title={`${exact}\n${smallest}`}
      aria-expanded={isExact}
      onClick={() => setExact(!isExact)}
      className={`number whitespace-nowrap rounded text-left decoration-dotted underline-offset-3 hover:underline ${isExact ? 'whitespace-normal break-all' : ''} ${className}`}
    >
      {isExact ? exact : `${short.text} `}
      {!isExact && <span className="text-soft text-xs">{short.unit}</span>}
    </button>
  )
}
