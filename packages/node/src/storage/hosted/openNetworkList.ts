import { openDirectoryList } from './directoryList.ts'
import type { NetworkList } from './networkList.ts'

/** The list of networks in a data directory, or in PostgreSQL, where `network` is the name of the deployment. */
export async function openNetworkList(location: {
  dataDirectory: string
  databaseUrl: string | undefined
  network: string
}): Promise<NetworkList> {
  const { dataDirectory, databaseUrl, network } = location
  if (databaseUrl === undefined) return openDirectoryList(dataDirectory)
  // Loaded on demand, as the rest of PostgreSQL.
  const { openPostgresList } = await import('./postgresList.ts')
  return openPostgresList({ url: databaseUrl, network })
}
