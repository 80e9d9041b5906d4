/** The number of kinds of faults that are reported; the first matters most. */
const faultLimit = 40

/** Faults by kind, each with the first input that showed it. */
export type Faults = ReturnType<typeof createFaults>

export function createFaults() {
  const found = new Map<string, { text: string; input: string; count: number }>()

  function add(text: string, input: string): void {
    // Numbers and quoted values differ from case to case.
    const kind = `${/"method":"([^"]*)"/.exec(input)?.[1] ?? ''} ${text.replace(/0x[\da-f]+|\d+|"[^"]*"/gi, '…').slice(0, 120)}`
    const known = found.get(kind)
    if (known) known.count++
    else if (found.size < faultLimit) found.set(kind, { text, input, count: 1 })
  }

  return {
    add,
    /** Records a thrown error. */
    async during<T>(input: string, run: () => Promise<T>): Promise<T | undefined> {
      try {
        return await run()
      } catch (error) {
        add((error as Error).message, input)
        return undefined
      }
    },
    /** Throws if there are faults. */
    requireNone(): void {
      if (found.size === 0) return
      const lines = [...found.values()].map(({ text, input, count }) => `${count}× ${text}\n   ${input.slice(0, 1500)}`)
      throw new Error(`${found.size} kinds of faults:\n${lines.join('\n')}`)
    },
  }
}
