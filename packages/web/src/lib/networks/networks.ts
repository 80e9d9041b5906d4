import { useQuery } from '@tanstack/react-query'
import { networkPath } from '../../location/networkUrl.ts'
import { rpc } from '../rpc/rpc.ts'

export type HostedNetwork = Awaited<ReturnType<typeof loadNetworks>>[number]
export type Branch = Awaited<ReturnType<typeof loadBranches>>[number]

/** How often the list is loaded again where it is watched, in milliseconds: networks wake and go to sleep. */
const watchMs = 3000

const loadNetworks = () => rpc('dev_getNetworks')
const loadBranches = () => rpc('dev_getBranches')

/** The networks of this server that the API key may use. Its query fails if the server has one network alone. */
export function useNetworks({ isWatched = false } = {}) {
  return useQuery({
    queryKey: ['network', 'networks'],
    queryFn: loadNetworks,
    refetchInterval: isWatched ? watchMs : false,
  })
}

/** All branches of the network that this page shows, or is a branch of, oldest first. */
export function useBranches() {
  return useQuery({ queryKey: ['head', 'branches'], queryFn: loadBranches })
}

/** The path of a network's or a branch's dashboard at this server. */
export const pathOf = ({ url }: { url: string }): string => new URL(url).pathname

/** Whether this page shows the network or the branch. */
export const isShown = (network: { url: string }): boolean => pathOf(network) === networkPath
