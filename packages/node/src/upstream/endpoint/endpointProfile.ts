/** How an endpoint names the block whose state is read: by its hash (EIP-1898), by its number, or only the newest as `latest`. */
export type StateNames = 'hash' | 'number' | 'latest'

/** What an endpoint was found to take and to offer. It holds for an hour; `undefined` where nothing was refused. */
export type EndpointProfile = {
  /** The most calls of a batch; 1 if it takes no batches. */
  batch: number
  /** The fewest bytes of a batch that it refused as too large. */
  refusedBatchBytes: number | undefined
  /** What it answered to a larger batch. */
  batchRefusal: string | undefined
  stateNames: StateNames
  /** Of how many blocks it keeps the state: that of a block so far behind the newest was refused. */
  stateBlocks: number | undefined
  missingMethods: readonly string[]
  /** Calls that it was sent in the second before it last limited their rate, and what they cost in compute units. */
  limitedAtRate: number | undefined
  limitedAtUnits: number | undefined
  /** The most blocks of a query of logs, and the most logs of an answer as its words name them. */
  logBlocks: number | undefined
  logRows: number | undefined
  /** When the oldest of this was found, in milliseconds since 1970. */
  foundAt: number
}

/** How long what an endpoint refused is remembered, in milliseconds: a proxy in front of it may have had a problem, or a plan changed. */
export const refusalMs = 3_600_000
