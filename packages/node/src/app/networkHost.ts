import type { Networks } from '../rpc/services.ts'
import type { Access } from '../server/access.ts'
import type { ServedBy } from '../server/http.ts'

/** What a network has from a process that serves several. */
export type NetworkHost = ServedBy & {
  access: Access
  networks: Networks
  /** Throws `KEY_DISK_SPENT` if nothing more may be stored. */
  requireRoom(): void
}
