import type { Clock, Timer } from '../shared/clock.ts'

/** A refusal by the server. */
export type Refused = {
  /** Identifies the key; `undefined` for unknown keys. */
  key: string | undefined
  method: string
  params: unknown
  /** The kind of the error. */
  error: string
  /** The client's address, if known. */
  from?: string | undefined
}

export type Refusals = {
  note(refused: Refused): void
  /** Logs refusals that were counted but not logged yet. */
  stop(): void
}

/** How long refusals of one key are counted before they are logged together, in milliseconds. */
const windowMs = 60_000
/** Maximum number of methods and addresses listed for counted refusals. */
const namesLimit = 20

type Window = { timer: Timer; count: number; methods: Map<string, number>; from: Set<string>; error: string }

/**
 * Logs the first refusal of a key at once and counts those that follow: one entry a minute for each key, and one for
 * all unknown keys. Frequent refusals therefore cannot fill the disk.
 */
export function createRefusals(note: (entry: Omit<Refused, 'from'>) => void, { clock }: { clock: Clock }): Refusals {
  const windows = new Map<string | undefined, Window>()

  function begin(key: string | undefined): void {
    const timer = clock.after(windowMs, () => end(key, true))
    windows.set(key, { timer, count: 0, methods: new Map(), from: new Set(), error: '' })
  }

  function end(key: string | undefined, mayContinue: boolean): void {
    const window = windows.get(key)
    windows.delete(key)
    window?.timer.cancel()
    if (!window || window.count === 0) return
    const { count, methods, from, error } = window
    note({ key, method: 'refused', params: { count, methods: Object.fromEntries(methods), from: [...from] }, error })
    if (mayContinue) begin(key)
  }

  return {
    note({ from, ...refused }) {
      const { key, method, error } = refused
      const window = windows.get(key)
      if (!window) {
        note(from === undefined ? refused : { ...refused, params: { from } })
        begin(key)
        return
      }
      window.count++
      window.error = error
      if (window.methods.has(method) || window.methods.size < namesLimit)
        window.methods.set(method, (window.methods.get(method) ?? 0) + 1)
      if (from !== undefined && window.from.size < namesLimit) window.from.add(from)
    },
    stop() {
      for (const key of [...windows.keys()]) end(key, false)
    },
  }
}
