import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { isFunded } from '../chain/rewind/funding.ts'
import { createMembership, type Membership } from '../cluster/membership.ts'
import type { Config } from '../config/config.ts'
import type { Clock } from '../shared/clock.ts'
import type { createStopper } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase, openSharedDatabase } from '../storage/openDatabase.ts'
import type { EphemeralStore } from '../storage/sqlite/openEphemeral.ts'

type Needs = {
  /** Where a network is that keeps nothing. */
  store: EphemeralStore | undefined
  /** The URL that the server listens on; `undefined` before it listens. */
  listensAt: () => string | undefined
  clock: Clock
  logger: Logger
}

/** Lease times: another node must take over within five seconds, however the sealer ended. */
const times = { leaseMs: 3_000, heartbeatMs: 500, pollMs: 1_000 }

/** Opens the database of a network. If several nodes can share it, joins as one of them. */
export async function joinNetwork(
  config: Config,
  { store, listensAt, clock, logger }: Needs,
  stopper: ReturnType<typeof createStopper>,
): Promise<{
  database: Database
  sideConnection: Pick<Database, 'queries' | 'transaction'>
  membership: Membership | undefined
}> {
  const { dataDirectory, databaseUrl, network } = config
  if (databaseUrl === undefined) {
    const database = store?.database ?? (await openDatabase(dataDirectory))
    stopper.add(() => database.close())
    return { database, sideConnection: database, membership: undefined }
  }
  const shared = await openSharedDatabase({ url: databaseUrl, network }, { clock })
  stopper.add(() => shared.close())
  const membership = createMembership(times, {
    shared,
    // A new network is funded last.
    isCreated: isFunded,
    id: randomUUID(),
    createSecret: () => randomBytes(32).toString('hex'),
    url: () => {
      const url = listensAt()
      return url && (config.nodeUrl ?? reachable(url))
    },
    clock,
    logger,
  })
  stopper.add(() => membership.stop())
  await membership.join()
  const { sideConnection } = shared
  return {
    database: membership.database,
    sideConnection: { queries: sideConnection, transaction: (task) => sideConnection.transaction().execute(task) },
    membership,
  }
}

/** The URL of a server that listens on all addresses, by the machine's host name. */
function reachable(url: string): string {
  const parsed = new URL(url)
  if (parsed.hostname === '0.0.0.0' || parsed.hostname === '[::]') parsed.hostname = hostname()
  return parsed.href.replace(/\/$/, '')
}
