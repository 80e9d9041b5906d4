import { type Hex, numberToHex } from 'viem'

export type Rpc = <T = unknown>(method: string, ...params: unknown[]) => Promise<T>

/** The times of a network's blocks: ours, anvil's or Hardhat's. */
export function timesOf(rpc: Rpc) {
  const at = async (block: Hex | 'latest' | 'pending') =>
    Number((await rpc<{ timestamp: Hex }>('eth_getBlockByNumber', block, false)).timestamp)
  const head = async () => Number(await rpc<Hex>('eth_blockNumber'))
  /** What a contract sees: the time and the number of its block. */
  const seen = async (tag: 'latest' | 'pending') => {
    const call = (code: string) => rpc<Hex>('eth_call', { data: `0x${code}60005260206000f3` }, tag)
    return { time: Number(await call('42')), number: Number(await call('43')) }
  }
  const send = async () => {
    const [from] = await rpc<Hex[]>('eth_accounts')
    await rpc('eth_sendTransaction', { from, to: from, value: '0x1' })
  }
  return {
    /** The timestamp of a block. */
    at,
    head,
    seen,
    send,
    /** Seconds between the blocks that `action` seals, from the newest one before it. */
    async between(action: () => Promise<unknown>): Promise<number[]> {
      const first = await head()
      await action()
      const numbers = Array.from({ length: (await head()) - first + 1 }, (_, index) => first + index)
      const times = await Promise.all(numbers.map((number) => at(numberToHex(number))))
      return times.slice(1).map((time, index) => time - (times[index] as number))
    },
  }
}
