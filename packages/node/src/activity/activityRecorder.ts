import { LRUCache } from 'lru-cache'
import type { BlockObserver } from '../chain/sealing/blockObserver.ts'
import type { CodeMatch, ContractLibrary } from '../contracts/contractLibrary.ts'
import type { Queries } from '../storage/database.ts'
import { addCalls, addCodes, addCreations } from '../storage/records/activity/calls.ts'
import { addMappingKeys, type MappingKeyRecord } from '../storage/records/activity/mappingKeys.ts'
import { addTransfers } from '../storage/records/activity/transfers.ts'
import { type Activity, activityOf } from './transactionActivity.ts'

/** Number of recently stored mapping keys, so that the keys of active tokens are not stored again and again. */
const knownKeysLimit = 50_000

/** Stores the activity inside transactions with their blocks, and links created contracts to imported ones. */
export function createActivityRecorder({
  library,
}: {
  library: Pick<ContractLibrary, 'match' | 'link'>
}): BlockObserver {
  const knownKeys = new LRUCache<string, true>({ max: knownKeysLimit })
  const idOf = ({ address, base, key }: MappingKeyRecord) => address + base + key

  function remember(keys: readonly MappingKeyRecord[]): void {
    for (const key of keys) knownKeys.set(idOf(key), true)
  }

  return {
    begin() {
      const seen: Seen[] = []
      let isStored = false
      return {
        changed() {},
        async afterTransaction({ result, index, context }) {
          const activity = activityOf(result, { blockNumber: context.number, transactionPosition: index })
          activity.mappingKeys = activity.mappingKeys.filter((key) => !knownKeys.has(idOf(key)))
          const links: Seen['links'] = []
          for (const creation of activity.creations)
            for (const match of await library.match(creation.code, creation.initCode)) links.push({ creation, match })
          seen.push({ activity, links })
        },
        async sealed() {
          // For blocks that are committed together, the first one stores everything, because each statement has a cost.
          return async (queries) => {
            if (isStored || seen.length === 0) return
            isStored = true
            await saveActivity(queries, seen)
            for (const { creation, match } of seen.flatMap(({ links }) => links))
              await library.link(queries, creation.address, match, creation)
          }
        },
        committed() {
          for (const { activity } of seen) remember(activity.mappingKeys)
        },
      }
    },
    observesEmptyBlocks: () => false,
    async revertTo() {
      knownKeys.clear()
    },
  }
}

/** The activity of one transaction, and the contracts that its creations matched. */
type Seen = { activity: Activity; links: { creation: Activity['creations'][number]; match: CodeMatch }[] }

async function saveActivity(queries: Queries, seen: readonly Seen[]): Promise<void> {
  const all = <Part>(part: (activity: Activity) => readonly Part[]) => seen.flatMap(({ activity }) => part(activity))
  await addCalls(
    queries,
    all(({ calls }) => calls),
  )
  await addCreations(
    queries,
    all(({ creations }) => creations),
  )
  await addTransfers(
    queries,
    all(({ transfers }) => transfers),
  )
  await addMappingKeys(
    queries,
    all(({ mappingKeys }) => mappingKeys),
  )
  for (const { activity } of seen) await addCodes(queries, activity.codes)
}
