import { useAction } from '../actions/useAction.ts'
import { apiKey } from '../rpc/apiKey.ts'
import { live } from '../rpc/live.ts'
import { queryClient } from '../rpc/queryClient.ts'
import { rpc } from '../rpc/rpc.ts'

export const savedKey = (): string => apiKey.get()

/** Checks a key against the network, keeps it in this browser and loads everything again with it. */
export function useSaveKey() {
  return useAction(
    async (key: string) => {
      const before = apiKey.get()
      apiKey.set(key.trim())
      try {
        await rpc('dev_getRole')
      } catch (error) {
        apiKey.set(before)
        throw error
      }
      live.start()
      await queryClient.resetQueries()
    },
    () => 'API key saved',
  )
}
