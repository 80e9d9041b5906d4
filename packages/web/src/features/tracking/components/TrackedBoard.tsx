import { useState } from 'react'
import type { Address } from 'viem'
import { SavedViews } from '../../../components/SavedViews.tsx'
import { periodFrom } from '../../../lib/period/period.ts'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type TrackedItem, useTrackedItems } from '../api/tracked.ts'
import { HistoryChart } from './HistoryChart.tsx'
import { SampleTable } from './SampleTable.tsx'
import { TrackedForm } from './TrackedForm.tsx'
import { TrackedRow } from './TrackedRow.tsx'

export type BoardState = { ids?: string; period?: string; tag?: string }

type Props = {
  /** Only the items of this address. */
  address?: Address
  /** Ids of the items in the chart; the first item when left out. */
  chosen: readonly string[] | undefined
  period: string | undefined
  tag?: string
  /** Opens the form for a new item, filled in. */
  prefilled?: { address: string; fn?: string; args?: string }
  onChange: (state: BoardState) => void
}

const chosenAtFirst = 1

/** Tracked items, and the recorded values of the selected ones. */
export function TrackedBoard({ address, chosen, period, tag, prefilled, onChange }: Props) {
  const query = useTrackedItems(address)
  const [form, setForm] = useState<TrackedItem | 'new' | undefined>(prefilled ? 'new' : undefined)
  const window = periodFrom(period)
  const shown = query.data?.filter(({ tags }) => !tag || tags.includes(tag)) ?? []
  const ids = chosen ?? shown.slice(0, chosenAtFirst).map(({ id }) => id)
  const charted = shown.filter(({ id }) => ids.includes(id))
  const tags = [...new Set(query.data?.flatMap((item) => item.tags) ?? [])]
  const toggle = (id: string) =>
    onChange({ ids: (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]).join(',') })
  return (
    <>
      {form && (
        <TrackedForm
          key={form === 'new' ? 'new' : form.id}
          item={form === 'new' ? undefined : form}
          prefilled={prefilled ?? (address ? { address } : undefined)}
          onClose={() => setForm(undefined)}
        />
      )}
      {charted.length > 0 && (
        <HistoryChart items={charted} period={window} onPeriod={(next) => onChange({ period: next })} />
      )}
      <Panel
        title="Values"
        note={query.data ? `${shown.length}` : undefined}
        actions={
          <>
            {tags.length > 0 && (
              <select
                aria-label="Filter by tag"
                value={tag ?? ''}
                onChange={(event) => onChange({ tag: event.target.value || undefined })}
                className="h-7 rounded-md border border-line bg-panel px-1.5 text-xs"
              >
                <option value="">All tags</option>
                {tags.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
            {!address && (
              <SavedViews
                page="tracked"
                search={{ ids: chosen?.join(','), period, tag }}
                onOpen={({ ids: charted, period: wanted, tag: only }) =>
                  onChange({ ids: charted, period: wanted, tag: only })
                }
              />
            )}
            <Button needs="admin" tone="primary" onClick={() => setForm('new')}>
              Track value
            </Button>
          </>
        }
      >
        <Loaded query={query} what="tracked values" rows={4}>
          {() =>
            shown.length === 0 ? (
              <Empty title="No tracked values">
                Record a balance, a token balance, a storage slot or a function result over time, and view it as a
                chart.
              </Empty>
            ) : (
              <ul className="divide-y divide-line">
                {shown.map((item) => (
                  <TrackedRow
                    key={item.id}
                    item={item}
                    isCharted={ids.includes(item.id)}
                    onToggle={() => toggle(item.id)}
                    onEdit={() => setForm(item)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      {charted.length === 1 && charted[0] && <SampleTable item={charted[0]} period={window} />}
    </>
  )
}
