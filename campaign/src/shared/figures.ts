/** The figures of a run, in the order in which they were set. A later value of a name replaces the earlier one. */
export type Figures = {
  set(name: string, value: number | string): void
  /** Adds to a figure that counts. */
  add(name: string, more?: number): void
  /** Sets a figure that is the highest of several. */
  raise(name: string, value: number): void
  get(name: string): number | string | undefined
  /** Two columns of text. */
  text(): string
}

export function createFigures(): Figures {
  const values = new Map<string, number | string>()
  return {
    set: (name, value) => void values.set(name, value),
    add: (name, more = 1) => void values.set(name, Number(values.get(name) ?? 0) + more),
    raise: (name, value) => void values.set(name, Math.max(value, Number(values.get(name) ?? 0))),
    get: (name) => values.get(name),
    text() {
      const width = Math.max(0, ...[...values.keys()].map((name) => name.length))
      return [...values].map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
    },
  }
}
