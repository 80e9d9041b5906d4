import { disk } from './disk/disk.ts'
import { failover } from './failover/failover.ts'
import { hosts } from './hosts/hosts.ts'
import { kill } from './kill/kill.ts'
import { upstream } from './upstream/upstream.ts'

/** By the names that `npm run chaos -- NAME` takes. Without a name, all of them run in turn. */
export const scenarios = { kill, upstream, disk, failover, hosts }
