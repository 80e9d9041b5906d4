import type { Hex } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { formatCount } from '../../../format/amount.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { useConsoleLogs } from '../api/debugging.ts'

/** More lines than a page shows well. */
const shownLines = 200

/** What the contracts logged with console.log; nothing if they did not. */
export function ConsoleLogs({ hash }: { hash: Hex }) {
  const { data: logs = [] } = useConsoleLogs(hash)
  if (logs.length === 0) return null
  const left = logs.length - shownLines
  return (
    <Panel title="Console" note={formatCount(logs.length, 'line')}>
      <ol className="max-h-80 divide-y divide-line overflow-y-auto">
        {logs.slice(0, shownLines).map(({ address, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a transaction have a fixed order
          <li key={index} className="flex flex-wrap items-baseline gap-x-3 px-3 py-1.5 text-sm">
            <code className="min-w-0 flex-1 basis-60 whitespace-pre-wrap break-words">{text}</code>
            <span className="text-soft text-xs">
              <Account address={address} />
            </span>
          </li>
        ))}
      </ol>
      {left > 0 && (
        <p className="border-line border-t px-3 py-2 text-soft text-sm">
          {formatCount(left, 'more line')}. <code>dev_getConsoleLogs</code> returns all lines.
        </p>
      )}
    </Panel>
  )
}
