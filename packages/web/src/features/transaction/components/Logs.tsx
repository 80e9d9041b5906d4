import type { Hex, Log } from 'viem'
import { Account } from '../../../components/Account.tsx'
import type { DecodedItem } from '../../../components/DecodedArgs.tsx'
import { Values } from '../../../components/Values.tsx'
import { commonAbis, decodeLog } from '../../../lib/abi/decode.ts'
import { useDecoded } from '../../../lib/chain/decoded.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Panel } from '../../../ui/Panel.tsx'

export function Logs({ hash, logs }: { hash: Hex; logs: readonly Log[] }) {
  const { data: decoded } = useDecoded(hash)
  return (
    <Panel>
      {logs.length === 0 ? (
        <Empty title="No events emitted" />
      ) : (
        <ol className="divide-y divide-line">
          {logs.map((log) => (
            <LogRow
              key={log.logIndex}
              log={log}
              decoded={decoded?.events.find(({ logIndex }) => logIndex === log.logIndex)?.event}
            />
          ))}
        </ol>
      )}
    </Panel>
  )
}

function LogRow({ log, decoded }: { log: Log; decoded: DecodedItem | null | undefined }) {
  const event = decoded ? { name: decoded.name, values: decoded.args ?? [] } : decodeLog(commonAbis, log)
  return (
    <li className="grid gap-x-4 gap-y-1 px-3 py-2 text-sm md:grid-cols-[3rem_minmax(0,14rem)_minmax(0,1fr)]">
      <span className="number text-soft">{log.logIndex}</span>
      <span className="min-w-0">
        <Account address={log.address} />
        <span className="block font-medium">{event?.name ?? <span className="text-soft">unknown event</span>}</span>
      </span>
      {event ? (
        <Values values={event.values} />
      ) : (
        <span className="hex min-w-0 space-y-0.5 break-all text-xs">
          {log.topics.map((topic, index) => (
            <span key={topic + String(index)} className="block">
              <span className="text-soft">topic {index}</span> {topic}
            </span>
          ))}
          {log.data !== '0x' && (
            <span className="block">
              <span className="text-soft">data</span> {log.data}
            </span>
          )}
        </span>
      )}
    </li>
  )
}
