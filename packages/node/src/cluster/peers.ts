import type { Forwarder } from './forwarder.ts'
import type { Membership } from './membership.ts'

/** What other nodes of the same network are answered by. */
export type Peers = {
  isSealer(): boolean
  /** What they sign with; `undefined` while nobody holds the lease. */
  secret(): string | undefined
  /** The number of the last transaction of this node. */
  revision(): number
}

/** How a node asks the others, and answers them. */
export type OtherNodes = { remoteSealer: Pick<Forwarder, 'run'>; peers: Peers }

/** What other nodes may ask of this one. */
export function peersOf(membership: Membership): Peers {
  return {
    isSealer: membership.isSealer,
    secret: () => membership.sealer()?.secret,
    revision: membership.revision,
  }
}
