import type { BlockObserver } from '../chain/blockObserver.ts'
import type { Queries } from '../storage/database.ts'
import { addCalls, addCodes, addCreations } from '../storage/records/calls.ts'
import { addMappingKeys, removeMappingKeysAfter } from '../storage/records/mappingKeys.ts'
import { addTransfers } from '../storage/records/transfers.ts'
import { type Activity, activityOf } from './activity.ts'
import type { CodeMatch, ContractLibrary } from './contractLibrary.ts'

/** Stores what transactions do inside with their blocks, and links what they create to the contracts that it is of. */
export function createActivityRecorder({
  library,
}: {
  library: Pick<ContractLibrary, 'match' | 'link'>
}): BlockObserver {
  return {
    begin() {
      let seen: Seen[] = []
      return {
        changed() {},
        async afterTransaction({ result, index, context }) {
          const activity = activityOf(result, { blockNumber: context.number, transactionPosition: index })
          const links = []
          for (const creation of activity.creations)
            for (const match of await library.match(creation.code, creation.initCode)) links.push({ creation, match })
          seen.push({ activity, links })
        },
        async sealed() {
          const stored = seen
          seen = []
          return async (queries) => {
            if (stored.length === 0) return
            await saveActivity(
              queries,
              stored.map(({ activity }) => activity),
            )
            for (const { creation, match } of stored.flatMap(({ links }) => links))
              await library.link(queries, creation.address, match, creation)
          }
        },
        committed() {},
      }
    },
    // Calls, creations, transfers and deployments go with their blocks.
    revertTo: removeMappingKeysAfter,
  }
}

/** What one transaction did, and whose code its creations turned out to be. */
type Seen = { activity: Activity; links: { creation: Activity['creations'][number]; match: CodeMatch }[] }

async function saveActivity(queries: Queries, activities: readonly Activity[]): Promise<void> {
  await addCalls(
    queries,
    activities.flatMap(({ calls }) => calls),
  )
  await addCreations(
    queries,
    activities.flatMap(({ creations }) => creations),
  )
  await addTransfers(
    queries,
    activities.flatMap(({ transfers }) => transfers),
  )
  await addMappingKeys(
    queries,
    activities.flatMap(({ mappingKeys }) => mappingKeys),
  )
  for (const { codes } of activities) await addCodes(queries, codes)
}
