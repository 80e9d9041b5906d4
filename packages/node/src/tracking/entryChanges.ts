import { loadLowestRewind } from '../storage/records/chain/rewinds.ts'
import { loadNewestSeq } from '../storage/records/state/seq.ts'
import { loadTimedSamples } from '../storage/records/tracking/trackedSamples.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import type { EntryListeners, Recorded } from './entryListeners.ts'
import { loadEntriesFrom, noTransaction } from './history.ts'
import type { TrackedItem } from './probe.ts'

type Needs = {
  items: ReadonlyMap<string, TrackedItem>
  listeners: EntryListeners
  /** The number of the latest block. */
  head(): Promise<number>
}

/** Notifies listeners of entries that another node recorded, each once. */
export class EntryChanges {
  readonly #needs: Needs
  /** The position up to which listeners were notified; `timed`: the clock's entries at that block. */
  #told: { block: number; timed: ReadonlySet<string>; seq: number } | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Call it when the chain is up to date. */
  async refresh({ queries, isChanged }: ChangeNotice): Promise<void> {
    const changed = (['tracked_samples', 'tracked_transactions', 'rewinds'] as const).some(isChanged)
    if (this.#told && !changed) return
    const { items, listeners, head } = this.#needs
    const before = this.#told
    const block = await head()
    const timed = new Set((await loadTimedSamples(queries, block)).map(keyOf))
    this.#told = { block, timed, seq: await loadNewestSeq(queries) }
    if (!before || listeners.isIdle) return
    const rewound = isChanged('rewinds') ? await loadLowestRewind(queries, before.seq) : undefined
    const first = rewound === undefined ? before.block : Math.min(before.block, Number(rewound))
    const found: Recorded[] = []
    for (const { record } of items.values()) {
      if (!listeners.listensTo(record.id)) continue
      for (const entry of await loadEntriesFrom(queries, record.number, first)) {
        const isNew =
          entry.blockNumber > first ||
          (entry.txHash === noTransaction && !before.timed.has(keyOf({ item: record.number, ...entry })))
        if (isNew) found.push({ id: record.id, entry })
      }
    }
    found.sort((a, b) => a.entry.blockNumber - b.entry.blockNumber || a.entry.timestamp - b.entry.timestamp)
    for (const recorded of found) listeners.notify(recorded)
  }
}

const keyOf = ({ item, timestamp }: { item: number; timestamp: number }) => `${item} ${timestamp}`
