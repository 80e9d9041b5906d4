import type { Clock, Timer } from '../shared/clock.ts'

/** Something that was refused at the door. */
export type Refused = {
  /** Names the key; `undefined` of those that are not known. */
  key: string | undefined
  method: string
  params: unknown
  /** The kind of the error. */
  error: string
  /** The address of the other end, where it is known. */
  from?: string | undefined
}

export type Refusals = {
  note(refused: Refused): void
  /** Notes what was counted and not noted yet. */
  stop(): void
}

/** How long refusals of one key are counted before they are noted together, in milliseconds. */
const windowMs = 60_000
/** Methods and addresses that are named of those that were counted. */
const namesLimit = 20

type Window = { timer: Timer; count: number; methods: Map<string, number>; from: Set<string>; error: string }

/**
 * Notes the first refusal of a key at once and counts those that follow: one entry a minute for each key, and one for
 * all unknown keys together. Whoever is refused often fills no disk.
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
