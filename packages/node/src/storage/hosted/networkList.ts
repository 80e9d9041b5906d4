/** A network that a call has made in a process that serves several. */
export type NetworkRecord = {
  name: string
  /** Tells it from an earlier network of the same name. */
  id: string
  /** The id of the API key that made it; `undefined` without keys. */
  owner: string | undefined
  /** Milliseconds since 1970. */
  createdAt: number
  /** Options by the names of their flags, as given. */
  options: Record<string, unknown>
  /** The network of the configuration whose options it has besides; `undefined`: only those of all networks. */
  like?: string | undefined
  /** A name for people. */
  label?: string | undefined
}

/** How many networks there may be; `undefined`: any number. */
export type NetworkLimits = { ofOwner: number | undefined; ofAll: number }

/** Why a network was not added: its name is taken, or a limit is reached. */
export type NotAdded = 'exists' | keyof NetworkLimits

/** Where a network is kept: a data directory, or a schema. */
export type Kept = { dataDirectory: string } | { network: string }

/** The durable list of the networks that calls have made. A kill leaves a network there with its data, or not at all. */
export type NetworkList = {
  all(): Promise<NetworkRecord[]>
  /** Where other nodes remove networks too, what it finds may be a second old, unless it `isNew`. */
  find(name: string, isNew?: boolean): Promise<NetworkRecord | undefined>
  add(record: NetworkRecord, limits: NetworkLimits): Promise<NotAdded | undefined>
  /** Removes a network from the list, then what it stored. */
  remove(record: NetworkRecord): Promise<void>
  /** `id` is `undefined` for a network of the configuration. */
  locationOf(network: { name: string; id: string | undefined }): Kept
  /** What a network takes, in bytes. */
  size(network: { name: string; id: string | undefined }): Promise<number>
  close(): Promise<void>
}
