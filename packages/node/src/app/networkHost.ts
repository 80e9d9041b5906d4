import type { Networks } from '../rpc/services.ts'
import type { Access } from '../server/access.ts'
import type { ServedBy } from '../server/http.ts'
import type { NetworkNumber } from '../storage/branches/layers.ts'
import type { EphemeralStore } from '../storage/sqlite/openEphemeral.ts'
import type { Workers } from '../workers/workers.ts'

/** What a network has from a process that serves several. */
export type NetworkHost = ServedBy & {
  access: Access
  networks: Networks
  /** The network, as 0, and its branches, if they were opened since the process started. The host keeps it while they sleep. */
  started: Set<NetworkNumber>
  /** For networks without threads of their own. */
  workers: Workers
  /** Where the network is if it keeps nothing. The host keeps it while the network sleeps. */
  store: EphemeralStore | undefined
  /** Throws `KEY_DISK_QUOTA_EXCEEDED` if nothing more may be stored. */
  requireRoom(): void
}
