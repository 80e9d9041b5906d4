import { useSyncExternalStore } from 'react'
import { type Connection, live } from '../rpc/live.ts'

export type { Connection }

export function useConnection(): Connection {
  return useSyncExternalStore(live.watch, () => live.connection)
}
