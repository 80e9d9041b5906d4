/** How shadowed transactions came out. */
export type Counts = { same: number; diverged: number; refused: number; unreproducible: number }

type Rpc = <Result>(method: string, ...params: unknown[]) => Promise<Result>

/** All pages of `dev_getDivergences`. */
export async function loadDivergences<Divergence>(
  rpc: Rpc,
  options: Record<string, unknown> = {},
): Promise<Divergence[]> {
  const found: Divergence[] = []
  let cursor: string | null = null
  do {
    const page: { items: Divergence[]; next: string | null } = await rpc('dev_getDivergences', {
      ...options,
      ...(cursor !== null && { cursor }),
    })
    found.push(...page.items)
    cursor = page.next
  } while (cursor !== null)
  return found
}
