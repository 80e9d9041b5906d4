import { type EphemeralStore, openEphemeral } from '../storage/sqlite/openEphemeral.ts'

/** What networks store that keep nothing, by their ids. It outlives their sleep, and ends with the process or the network. */
export type EphemeralStores = {
  open(id: string): Promise<EphemeralStore>
  /** What a network takes there, in bytes. */
  size(id: string): Promise<number>
  remove(id: string): Promise<void>
  stop(): Promise<void>
}

export function createEphemeralStores(): EphemeralStores {
  const stores = new Map<string, Promise<EphemeralStore>>()

  async function remove(id: string): Promise<void> {
    const store = stores.get(id)
    stores.delete(id)
    await (await store)?.close()
  }

  return {
    open(id) {
      const store = stores.get(id) ?? openEphemeral()
      stores.set(id, store)
      store.catch(() => stores.delete(id))
      return store
    },
    size: async (id) => (await stores.get(id)?.catch(() => undefined))?.bytes() ?? 0,
    remove,
    async stop() {
      await Promise.all([...stores.keys()].map(remove))
    },
  }
}
