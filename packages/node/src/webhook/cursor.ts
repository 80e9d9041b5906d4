import type { Word } from '@understudy/evm'
import { type BlockObserver, unobserved } from '../chain/sealing/blockObserver.ts'
import type { Database } from '../storage/database.ts'
import { loadBlock } from '../storage/records/chain/blocks.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'

/** The setting that holds the newest block whose events were delivered. */
export const webhookCursorKey = 'webhookCursor'

/** Up to which block events were delivered. A revert moves it back in its own transaction, so that none is missed. */
export type WebhookCursor = {
  observer: BlockObserver
  load(): Promise<bigint | undefined>
  /** Of a block that is not the newest any more, only if it has this hash. */
  save(block: bigint, hash?: Word): Promise<void>
}

export function createWebhookCursor({ database }: { database: Database }): WebhookCursor {
  const load = async (queries = database.queries) => {
    const stored = await loadSetting<string | null>(queries, webhookCursorKey)
    return stored ? BigInt(stored) : undefined
  }
  return {
    observer: {
      begin: () => unobserved,
      observesEmptyBlocks: () => false,
      async revertTo(queries, number) {
        const block = await load(queries)
        if (block !== undefined && block > number) await saveSetting(queries, webhookCursorKey, String(number))
      },
    },
    load: () => load(),
    save: (block, hash) =>
      database.transaction(async (transaction) => {
        if (hash !== undefined && (await loadBlock(transaction, { number: block }))?.hash !== hash) return
        await saveSetting(transaction, webhookCursorKey, String(block))
      }),
  }
}
