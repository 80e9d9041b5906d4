import type { Forwarder } from './forwarder.ts'
import type { Membership } from './membership.ts'

/** What a node needs to answer other nodes. */
export type Peers = {
  isSealer(): boolean
  /** The signing secret; `undefined` while no node holds the lease. */
  secret(): string | undefined
  /** The last revision of this node. */
  revision(): number
}

/** How a node calls the others, and answers their calls. */
export type OtherNodes = { remoteSealer: Pick<Forwarder, 'run' | 'read'>; peers: Peers }

/** The methods that other nodes may call here. */
export function peersOf(membership: Membership): Peers {
  return {
    isSealer: membership.isSealer,
    secret: () => membership.sealer()?.secret,
    revision: membership.revision,
  }
}
