import type { Address } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import type { Database } from '../storage/database.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'

/** Tags by address, in the order in which they were added. */
export type TagsByAddress = ReadonlyMap<Address, readonly string[]>

/** Words by which clients find accounts and contracts. Each change is durable when it resolves. */
export type AccountTags = {
  load(): Promise<TagsByAddress>
  /** Adds tags to each of these accounts. Throws `LIMIT_EXCEEDED`. */
  add(addresses: readonly Address[], tags: readonly string[]): Promise<void>
  /** Removes these tags of an account, or all. */
  remove(address: Address, tags: readonly string[] | undefined): Promise<void>
}

const settingKey = 'accountTags'
/** How many accounts may have tags, and how many tags each may have. They bound the answer that lists all. */
const accountLimit = 1000
const tagLimit = 20

export function createAccountTags({ database }: { database: Database }): AccountTags {
  const loadFrom = async (queries: Database['queries']) =>
    new Map((await loadSetting<[Address, string[]][]>(queries, settingKey)) ?? [])

  const change = (apply: (all: Map<Address, string[]>) => void) =>
    database.transaction(async (queries) => {
      const all = await loadFrom(queries)
      apply(all)
      await saveSetting(queries, settingKey, [...all])
    })

  return {
    load: () => loadFrom(database.queries),
    add: (addresses, tags) =>
      change((all) => {
        for (const address of addresses) {
          const own = [...new Set([...(all.get(address) ?? []), ...tags])]
          if (own.length > tagLimit)
            throw new NetworkError('LIMIT_EXCEEDED', { what: 'tags of an account; remove some first', limit: tagLimit })
          if (own.length > 0) all.set(address, own)
        }
        if (all.size > accountLimit)
          throw new NetworkError('LIMIT_EXCEEDED', {
            what: 'accounts with tags; remove those of some first',
            limit: accountLimit,
          })
      }),
    remove: (address, tags) =>
      change((all) => {
        const left = tags ? (all.get(address) ?? []).filter((tag) => !tags.includes(tag)) : []
        if (left.length > 0) all.set(address, left)
        else all.delete(address)
      }),
  }
}
