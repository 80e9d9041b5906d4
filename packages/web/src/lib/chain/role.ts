import { useQuery } from '@tanstack/react-query'
import { rpc } from '../rpc/rpc.ts'

/** The role of the API key of this page; its `key` is null on a network without keys. */
export function useRole() {
  return useQuery({ queryKey: ['fixed', 'role'], queryFn: () => rpc('dev_getRole') })
}
