type Transfer = { kind: string; token: string | null; from: string; to: string; amount: string }

/** An amount of ether (`token` of null) or of a token, in the smallest unit. */
export type Moved = { token: string | null; amount: bigint }

/** What a transaction did for its sender: a verb, and the first asset that went out and that came in. */
export type Headline = { verb: string; out: Moved | undefined; in: Moved | undefined }

/** `method` is the name of the function that was called, `transfers` those that came about. */
export function headlineOf(
  { from, to, method }: { from: string; to: string | null; method: string | undefined },
  transfers: readonly Transfer[],
): Headline {
  const sums = new Map<string, Moved>()
  for (const { kind, token, from: giver, to: taker, amount } of transfers) {
    if (kind !== 'native' && kind !== 'erc20') continue
    const sign = (same(taker, from) ? 1n : 0n) - (same(giver, from) ? 1n : 0n)
    if (sign === 0n) continue
    const key = token?.toLowerCase() ?? ''
    sums.set(key, { token, amount: (sums.get(key)?.amount ?? 0n) + sign * BigInt(amount) })
  }
  const moved = [...sums.values()]
  const given = moved.find(({ amount }) => amount < 0n)
  return {
    verb: to === null ? 'Create contract' : verbOf(method ?? (given ? 'transfer' : 'call')),
    out: given && { ...given, amount: -given.amount },
    in: moved.find(({ amount }) => amount > 0n),
  }
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** `swapExactTokens` as `Swap exact tokens`; a selector stays as it is. */
function verbOf(method: string): string {
  if (method.startsWith('0x')) return `Call ${method}`
  const words = method
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
