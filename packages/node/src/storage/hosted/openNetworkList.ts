import { openDirectoryList } from './directoryList.ts'
import type { NetworkList } from './networkList.ts'

/** The list of networks in a data directory, or in PostgreSQL. `network` is the name of the deployment there. */
export async function openNetworkList(place: {
  dataDirectory: string
  databaseUrl: string | undefined
  network: string
}): Promise<NetworkList> {
  return openDirectoryList(place.dataDirectory)
}
