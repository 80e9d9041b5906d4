/** The items whose name holds a text: those that begin with it first, then those with a word that does. */
export function rank<Item extends { name: string }>(text: string, items: readonly Item[], limit: number): Item[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const scored = items.flatMap((item) => {
    const name = item.name.toLowerCase()
    const at = name.indexOf(wanted)
    if (at < 0) return []
    const isWordStart = at > 0 && /[^a-z0-9]/.test(name[at - 1] ?? '')
    return [{ item, score: at === 0 ? 0 : isWordStart ? 1 : 2, length: name.length }]
  })
  return scored
    .sort((a, b) => a.score - b.score || a.length - b.length)
    .slice(0, limit)
    .map(({ item }) => item)
}
