import { useAction } from '../../../lib/actions/useAction.ts'
import type { HostedNetwork } from '../../../lib/networks/networks.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

export function useCreateNetwork() {
  return useAction(
    ({ name, forkUrl }: { name: string; forkUrl: string }) =>
      rpc('dev_createNetwork', { name, ...(forkUrl && { options: { 'fork-url': forkUrl } }) }),
    ({ name }) => `Network ${name} made`,
  )
}

export function useRemoveNetwork() {
  return useAction(
    ({ name }: HostedNetwork) => rpc('dev_removeNetwork', name),
    (_, { name }) => `Network ${name} removed`,
  )
}
