import { type Address, type Hex, hexToBigInt, slice } from 'viem'

/** By how much the balance of an account changed, in the token's smallest unit. */
export type TokenChange = { token: Address; account: Address; amount: bigint }

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** The balances that ERC-20 transfers changed. */
export function tokenChanges(logs: readonly { address: Address; topics: readonly Hex[]; data: Hex }[]): TokenChange[] {
  const changes = new Map<string, TokenChange>()
  const add = (token: Address, topic: Hex, amount: bigint) => {
    const account = slice(topic, 12)
    const key = token + account
    changes.set(key, { token, account, amount: (changes.get(key)?.amount ?? 0n) + amount })
  }
  for (const { address, topics, data } of logs) {
    const [topic, from, to, ...more] = topics
    if (topic !== transferTopic || !from || !to || more.length > 0 || data.length !== 66) continue
    add(address, from, -hexToBigInt(data))
    add(address, to, hexToBigInt(data))
  }
  return [...changes.values()].filter(({ amount }) => amount !== 0n)
}
