/** What an error says of a name that is not known: `is not a known field; did you mean gas?` */
export function unknownName(noun: string, name: string, known: readonly string[]): string {
  const similar = name.length <= longestName ? nearest(name, known) : undefined
  return `is not a known ${noun}${similar === undefined ? '' : `; did you mean ${similar}?`}`
}

/** Comparing takes time by the length of both names. */
const longestName = 50

/** The most similar known name; `undefined` if none is similar. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  let best: { name: string; distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (!best || distance < best.distance) best = { name: candidate, distance }
  }
  return best && best.distance <= Math.max(2, wanted.length / 3) ? best.name : undefined
}

/** The Levenshtein distance of two names, where two letters in the wrong order count as one mistake. */
function editDistance(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
