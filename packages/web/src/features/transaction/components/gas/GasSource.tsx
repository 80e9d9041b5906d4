import { useEffect, useMemo, useRef } from 'react'
import { CodeLine } from '../../../../components/CodeView.tsx'
import { formatInteger } from '../../../../format/amount.ts'
import { useSources } from '../../../../lib/contracts/sources.ts'
import { highlight } from '../../../../lib/highlight/highlight.ts'
import { Empty } from '../../../../ui/Empty.tsx'
import { Panel } from '../../../../ui/Panel.tsx'
import type { GasPlace, GasProfile } from '../../api/gas.ts'

/** How many lines are shown before and after the chosen one. */
const around = 150

/** The source around a line, with the gas of each line. */
export function GasSource({ profile, place }: { profile: GasProfile; place: GasPlace | undefined }) {
  const { data: sources = [] } = useSources(place?.address)
  const { address, file = null, line = null } = place ?? {}
  const content = sources.flatMap(({ files }) => files).find(({ path }) => path === file)?.content
  const lines = useMemo(() => (content && file ? highlight(content, file) : []), [content, file])
  const gas = useMemo(() => {
    const sums = new Map<number, number>()
    for (const each of profile.lines)
      if (each.address === address && each.file === file && each.line !== null)
        sums.set(each.line, (sums.get(each.line) ?? 0) + each.gas)
    return sums
  }, [profile, address, file])
  const list = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another line is shown
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (list.current && current) list.current.scrollTop = current.offsetTop - list.current.clientHeight / 3
  }, [place, lines])
  if (!file || line === null)
    return (
      <Panel title="Source">
        <Empty title="No source lines">Push the contracts with their sources, and open the page again.</Empty>
      </Panel>
    )
  const first = Math.max(0, line - 1 - around)
  return (
    <Panel title={<span className="break-all">{file}</span>} note={`Line ${line}`}>
      {lines.length === 0 ? (
        <Empty title={`${place?.function ?? 'Code'}, line ${line}`}>The source of this file is not known.</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section ref={list} tabIndex={0} aria-label="Source with gas" className="relative max-h-128 overflow-y-auto">
          <ol className="py-2">
            {lines.slice(first, line + around).map((tokens, index) => {
              const number = first + index + 1
              const own = gas.get(number)
              return (
                <li
                  key={number}
                  aria-current={number === line ? 'location' : undefined}
                  className={`hex flex min-h-5 items-baseline text-xs leading-5 ${number === line ? 'bg-warn-wash' : ''}`}
                >
                  <span className="number w-16 shrink-0 pr-2 text-right text-accent" title="Gas of the line">
                    {own !== undefined && formatInteger(own)}
                  </span>
                  <span className="number w-10 shrink-0 pr-3 text-right text-soft">{number}</span>
                  <CodeLine tokens={tokens} />
                </li>
              )
            })}
          </ol>
        </section>
      )}
    </Panel>
  )
}
