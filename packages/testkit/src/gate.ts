/** Something that can be passed while it is open; while it is closed those who come wait. */
export type Gate = {
  /** Resolves when the gate is open. */
  passed(): Promise<void>
  /** Closes the gate; the returned function opens it again. */
  close(): () => void
  open(): void
}

/** Makes an open gate. */
export function createGate(): Gate {
  let waiting: (() => void)[] | undefined
  const open = () => {
    const released = waiting ?? []
    waiting = undefined
    for (const resolve of released) resolve()
  }
  return {
    passed: () => (waiting ? new Promise((resolve) => waiting?.push(resolve)) : Promise.resolve()),
    close() {
      waiting ??= []
      return open
    },
    open,
  }
}
