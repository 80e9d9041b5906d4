import { Link } from '@tanstack/react-router'
import { formatInteger } from '../../../format/amount.ts'
import { type Connection, useConnection } from '../../../lib/chain/connection.ts'
import { useHealth } from '../../../lib/chain/health.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'

const connections: Record<Connection, { dot: string; text: string }> = {
  connecting: { dot: 'bg-warn breathes', text: 'Connecting' },
  live: { dot: 'bg-good', text: 'Live' },
  polling: { dot: 'bg-good', text: 'Live, updated every second' },
  offline: { dot: 'bg-bad breathes', text: 'Network not responding' },
}

const detached = { dot: 'bg-warn', text: 'Detached from the live chain' }

/** The latest block, and the state of the connection. */
export function HeadTicker() {
  const { data: info } = useNetworkInfo()
  const { state } = useHealth()
  const isDetached = state === 'live chain away' || state === 'other live chain'
  const { dot, text } = { ...connections[useConnection()], ...(isDetached && detached) }
  return (
    <Link
      to="/block/$id"
      params={{ id: String(info?.head.number ?? 'latest') }}
      title={text}
      data-testid="head"
      className="number flex h-7 items-center gap-2 rounded-md px-2 font-medium text-xs hover:bg-raised"
    >
      <span className={`size-2 rounded-full ${dot}`} />
      <span className="sr-only">{text}. Block </span>
      {info ? formatInteger(info.head.number) : '…'}
    </Link>
  )
}
