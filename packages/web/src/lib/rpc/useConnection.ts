import { useSyncExternalStore } from 'react'
import { type Connection, live } from './live.ts'

export function useConnection(): Connection {
  return useSyncExternalStore(live.watch, () => live.connection)
}
