import { isUnauthorised } from '../../errors/rpcError.ts'
import { useConnection } from './connection.ts'
import { useNetworkInfo } from './networkInfo.ts'

/** The state of the network, the most serious first. */
export type Health =
  | {
      state: 'key required' | 'offline' | 'live chain away' | 'other live chain' | 'connecting' | 'no fork' | 'healthy'
    }
  | { state: 'behind'; blocks: number }

/** The largest lag of the base, in blocks, that counts as healthy. */
export const calmLag = 5

/** The one source of whether the network and its live chain respond, for everything that shows it. */
export function useHealth(): Health {
  const connection = useConnection()
  const { data: info, error } = useNetworkInfo()
  if (isUnauthorised(error)) return { state: 'key required' }
  if (connection === 'offline') return { state: 'offline' }
  if (connection === 'connecting' || !info) return { state: 'connecting' }
  if (!info.upstream) return { state: 'no fork' }
  if (info.upstream.detached !== null)
    return { state: info.upstream.detached === 'away' ? 'live chain away' : 'other live chain' }
  const blocks = info.upstream.head - info.base.number
  return blocks > calmLag ? { state: 'behind', blocks } : { state: 'healthy' }
}
