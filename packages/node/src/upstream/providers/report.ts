import type { Clock } from '../../shared/clock.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Capabilities } from '../capabilities.ts'
import type { Refusal } from './askEndpoint.ts'

export type CheckOptions = {
  url: URL
  headers: Readonly<Record<string, string>>
  /** Maximum number of requests in a batch. */
  maxBatch: number
  attemptTimeoutMs: number
}

export type CheckNeeds = { clock: Clock; logger: Logger; random: () => number }

/** What an endpoint of a live chain can, as far as it was found out: `null` is not known. */
export type EndpointReport = {
  /** Without its secrets. */
  url: string
  /** Whether a network can use it. */
  isUsable: boolean
  /** Why not, and what to do. */
  problem: string | null
  chainId: number | null
  /** The hash of the chain's first block. */
  genesis: string | null
  head: { number: number; ageSeconds: number } | null
  /** The median of short requests, in milliseconds. */
  latencyMs: number | null
  /** The most requests that it took in a batch; 1 if it takes none. */
  batches: { largest: number; refused: number | null; refusal: Refusal | null } | null
  /** Whether it reads state by the hash of a block (EIP-1898). */
  blockHashes: { areTaken: boolean; refusal: Refusal | null } | null
  state: StateReport | null
  /** How many blocks a query of logs may have; 0 if none was answered. */
  logs: { blocks: number; refused: number | null; refusal: Refusal | null } | null
  methods: (Omit<Capabilities, 'batch' | 'clientVersion'> & { clientVersion: string }) | null
  /** A burst of short requests. */
  rate: { requests: number; answered: number; ms: number; refusal: Refusal | null } | null
  /** Whether it announces new heads by WebSocket, or by the local socket. */
  announcesHeads: boolean | null
  /** The number of HTTP requests that the check sent. */
  requests: number
}

export type StateReport = {
  /** Whether it is read by number; otherwise only by the tag `latest`. */
  isByNumber: boolean
  /** The most blocks below the head of which state was read. */
  deepest: number
  /** Blocks below the head of which there is none; `null` if there is state of every block. */
  refused: number | null
  refusal: Refusal | null
  /** Older blocks are answered by the state of the newest. */
  isFaked: boolean
}
