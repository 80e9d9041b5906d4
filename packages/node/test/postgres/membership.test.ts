import { afterEach, beforeEach, expect, it } from 'vitest'
import { isFunded } from '../../src/chain/rewind/funding.ts'
import { createMembership, type Membership } from '../../src/cluster/membership.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { createLogger } from '../../src/shared/logger.ts'
import type { SharedDatabase } from '../../src/storage/database.ts'
import { openSharedDatabase } from '../../src/storage/openDatabase.ts'
import { loadLease, takeLease } from '../../src/storage/records/lease.ts'
import { loadSetting, saveSetting } from '../../src/storage/records/settings.ts'
import { eventually } from '../startNetwork.ts'
import { dropTestLocation, requireTestLocation, type TestLocation } from '../testDatabase.ts'

let location: TestLocation
let shared: SharedDatabase
let membership: Membership
beforeEach(async () => {
  location = requireTestLocation()
  shared = await openSharedDatabase(location, { clock: systemClock })
  membership = createMembership(
    { leaseMs: 1_000, heartbeatMs: 20, pollMs: 20 },
    {
      shared,
      isCreated: isFunded,
      id: 'this',
      createSecret: () => 'secret',
      url: () => undefined,
      clock: systemClock,
      logger: createLogger('silent'),
    },
  )
})
afterEach(async () => {
  await membership.stop()
  await shared.close()
  await dropTestLocation(location)
})

/** Leaves what a node leaves that was killed: a lease that ends soon and, if it came so far, a network. */
async function leaveNetwork(how: 'created' | 'half created'): Promise<void> {
  await shared.beginWriting()
  await shared.transaction((transaction) => saveSetting(transaction, 'funded', how === 'created' ? [] : null))
  shared.endWriting()
  await takeLease(shared.sideConnection, { holder: 'killed', secret: 'secret', forMs: 300 })
}

it('a node that opens the network of a killed one seals, though the lease ends while it opens', async () => {
  await leaveNetwork('created')
  await membership.join()
  expect(membership.isWriter()).toBe(false)
  await eventually(
    () => loadLease(shared.sideConnection),
    ({ holder }) => holder === 'this',
  )
  expect(membership.isWriter()).toBe(false)

  await membership.begin({
    applyRemoteChanges: async () => {},
    beginSealing: (when) => membership.database.transaction((transaction) => saveSetting(transaction, 'began', when)),
    endSealing: async () => {},
  })
  expect(await loadSetting(shared.queries, 'began')).toBe('as another one')
  expect(membership.isSealer()).toBe(true)
})

it('a node that opens a network which was not completed waits for the lease, to complete it', async () => {
  await leaveNetwork('half created')
  await membership.join()
  expect(membership.isWriter()).toBe(true)
})
