import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { Address } from 'viem'
import { useSources } from '../../lib/contracts/sources.ts'
import { highlight, type Token } from '../../lib/highlight/highlight.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { CodeLine } from './CodeView.tsx'

type CodeLocation = { address: Address; file: string | null; line: number | null; function: string | null }

type Props = {
  /** The line that is shown; the file around it scrolls. */
  location: CodeLocation | undefined
  label: string
  current: 'step' | 'location'
  /** What stands before a line, by its file and number. */
  margin: (line: number, file: string) => ReactNode
}

/** The file of a line of a contract, scrolled to that line. */
export function SourceWindow({ location, label, current, margin }: Props) {
  const { data: sources = [] } = useSources(location?.address)
  const { file = null, line = null } = location ?? {}
  const content = sources.flatMap(({ files }) => files).find(({ path }) => path === file)?.content
  const lines = useMemo(() => (content && file ? highlight(content, file) : []), [content, file])
  if (!file || line === null)
    return (
      <Panel title="Source">
        <Empty title="No source line here">Push the contracts with their sources, and open the page again.</Empty>
      </Panel>
    )
  return (
    <Panel title={<span className="break-all">{file}</span>} note={`Line ${line}`}>
      {lines.length === 0 ? (
        <Empty title={`${location?.function ?? 'Code'}, line ${line}`}>The source of this file is not known.</Empty>
      ) : (
        <Lines
          key={file}
          lines={lines}
          line={line}
          label={label}
          current={current}
          margin={(number) => margin(number, file)}
        />
      )}
    </Panel>
  )
}

type LinesProps = Pick<Props, 'label' | 'current'> & {
  lines: readonly (readonly Token[])[]
  line: number
  margin: (line: number) => ReactNode
}

function Lines({ lines, line, label, current, margin }: LinesProps) {
  const list = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => list.current,
    estimateSize: () => 24,
    overscan: 50,
  })
  useEffect(() => virtualizer.scrollToIndex(line - 1, { align: 'center' }), [virtualizer, line])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section ref={list} tabIndex={0} aria-label={label} className="relative max-h-128 overflow-y-auto">
      <ol className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const number = index + 1
          return (
            <li
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              aria-setsize={lines.length}
              aria-posinset={number}
              aria-current={number === line ? current : undefined}
              className={`hex absolute inset-x-0 top-0 flex min-h-6 items-baseline text-xs leading-6 ${number === line ? 'bg-warn-wash' : ''}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              {margin(number)}
              <CodeLine tokens={lines[index] ?? []} />
            </li>
          )
        })}
      </ol>
    </section>
  )
}
