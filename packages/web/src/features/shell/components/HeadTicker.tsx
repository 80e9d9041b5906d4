import { Link } from '@tanstack/react-router'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { formatInteger } from '../../../lib/format/amount.ts'
import type { Connection } from '../../../lib/rpc/live.ts'
import { useConnection } from '../../../lib/rpc/useConnection.ts'

const states: Record<Connection, { dot: string; text: string }> = {
  connecting: { dot: 'bg-warn breathes', text: 'Connecting' },
  live: { dot: 'bg-good', text: 'Live: news is pushed' },
  polling: { dot: 'bg-good', text: 'Live: asked for each second' },
  offline: { dot: 'bg-bad breathes', text: 'The network does not answer' },
}

/** The newest block, and how news of it arrives. */
export function HeadTicker() {
  const { data: info } = useNetworkInfo()
  const { dot, text } = states[useConnection()]
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
