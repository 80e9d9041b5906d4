import type { Address, Hex } from 'viem'
import type { TestNetwork } from '../startNetwork.ts'

export type Entry = { value: string; blockNumber: number; timestamp: string; txHash: Hex }
export type History = {
  values: Entry[]
  anchor: Omit<Entry, 'txHash'> | null
  periodStart: string
  periodEnd: string
}
type Item = { id: string; lastError?: string }

export const valuesOf = ({ values }: History) => values.map(({ value }) => value)

/** What a test of tracked items does with its network. */
export function trackerOf(network: () => TestNetwork) {
  const rpc = <T = unknown>(method: string, ...params: unknown[]) => network().rpc<T>(method, ...params)
  return {
    rpc,
    /** A native balance that is recorded after every transaction, when nothing else is given. */
    track: async (item: { address: Address } & Record<string, unknown>) =>
      (await rpc<Item>('dev_addTrackedData', { name: 'a value', type: 'native-token-balance', ...item })).id,
    history: (id: string, options?: Record<string, unknown>) =>
      rpc<History>('dev_getTrackedDataValues', id, ...(options ? [options] : [])),
    item: async (id: string) => (await rpc<Item[]>('dev_getTrackedData')).find((item) => item.id === id),
    pay: (to: Address, value: bigint) => network().client.sendTransaction({ to, value }),
  }
}
