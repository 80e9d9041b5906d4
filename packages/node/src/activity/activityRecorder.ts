import type { Address } from '@understudy/evm'
import type { BlockObserver, ObservedTransaction } from '../chain/sealing/blockObserver.ts'
import type { CodeMatch, ContractLibrary } from '../contracts/contractLibrary.ts'
import { createBoundedCache } from '../shared/caches.ts'
import type { Queries } from '../storage/database.ts'
import { addCalls, addCodes, addCreations } from '../storage/records/activity/calls.ts'
import { addMappingKeys, type MappingKeyRecord } from '../storage/records/activity/mappingKeys.ts'
import { addTransfers } from '../storage/records/activity/transfers.ts'
import { type Activity, activityOf } from './transactionActivity.ts'

/** Number of recently stored mapping keys, so that the keys of active tokens are not stored again and again. */
const knownKeysLimit = 50_000

/** Number of called contracts that are known to be linked or to match nothing. An import compares earlier ones itself. */
const comparedLimit = 10_000

/**
 * Stores the activity inside transactions with their blocks, and links contracts to imported ones: those that were created,
 * and those of the live chain that were called.
 */
export function createActivityRecorder({
  library,
}: {
  library: Pick<ContractLibrary, 'isEmpty' | 'match' | 'link'>
}): BlockObserver {
  const compared = createBoundedCache<Address, true>(comparedLimit)
  const knownKeys = createBoundedCache<string, true>(knownKeysLimit)
  const idOf = ({ address, base, key }: MappingKeyRecord) => address + base + key

  function remember(keys: readonly MappingKeyRecord[]): void {
    for (const key of keys) knownKeys.set(idOf(key), true)
  }

  function notCompared({ calls, creations }: Activity): Address[] {
    const created = new Set(creations.map(({ address }) => address))
    const called = new Set(calls.map(({ recipient }) => recipient))
    return [...called].filter((address) => !created.has(address) && !compared.has(address))
  }

  async function linksOf(
    { creations }: Activity,
    called: readonly Address[],
    view: ObservedTransaction['view'],
  ): Promise<Seen['links']> {
    const links: Seen['links'] = []
    for (const creation of creations) {
      const { address, code, initCode } = creation
      for (const match of await library.match(code, initCode)) links.push({ address, creation, match })
    }
    for (const address of called)
      for (const match of await library.match(codeOf(view, address)))
        links.push({ address, creation: undefined, match })
    return links
  }

  return {
    begin() {
      const seen: Seen[] = []
      let isStored = false
      return {
        changed() {},
        afterTransaction({ result, index, context, view }) {
          const activity = activityOf(result, { blockNumber: context.number, transactionPosition: index })
          if (activity.mappingKeys.length > 0)
            activity.mappingKeys = activity.mappingKeys.filter((key) => !knownKeys.has(idOf(key)))
          const called = library.isEmpty() ? [] : notCompared(activity)
          if (activity.creations.length > 0 || called.length > 0)
            return linksOf(activity, called, view).then((links) => void seen.push({ activity, links, called }))
          seen.push({ activity, links: [], called })
          return undefined
        },
        sealed() {
          // For blocks that are committed together, the first one stores everything, because each statement has a cost.
          return async (queries) => {
            if (isStored || seen.length === 0) return
            isStored = true
            await saveActivity(queries, seen)
            for (const { address, creation, match } of seen.flatMap(({ links }) => links))
              await library.link(queries, address, match, creation)
          }
        },
        committed() {
          for (const { activity, called } of seen) {
            remember(activity.mappingKeys)
            for (const address of called) compared.set(address, true)
          }
        },
      }
    },
    observesEmptyBlocks: () => false,
    async revertTo() {
      compared.clear()
      knownKeys.clear()
    },
  }
}

/** The activity of one transaction, and the contracts that its creations and calls matched. */
type Seen = {
  activity: Activity
  links: { address: Address; creation: Activity['creations'][number] | undefined; match: CodeMatch }[]
  /** Other contracts whose code was compared. */
  called: Address[]
}

/** The code of an account that a transaction has loaded. */
function codeOf(view: ObservedTransaction['view'], address: Address): Uint8Array {
  const account = view.account(address)
  return (account && view.code(address, account.codeHash)) ?? new Uint8Array()
}

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
