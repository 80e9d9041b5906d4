import type { ReactNode } from 'react'
import { isNetworkList } from '../../../location/networkUrl.ts'
import { ListShell } from './ListShell.tsx'
import { Shell } from './Shell.tsx'

/** The frame of this page: a network's, or that of the list of networks. */
export function Frame({ search }: { search: ReactNode }) {
  return isNetworkList ? <ListShell /> : <Shell search={search} />
}
