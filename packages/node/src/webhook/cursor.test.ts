import { expect, it } from 'vitest'
import { combineObservers } from '../chain/sealing/blockObservers.ts'
import type { Logger } from '../shared/logger.ts'
import { createWebhookCursor } from './cursor.ts'

it('lets blocks be sealed without waiting', () => {
  const { observer } = createWebhookCursor({ database: {} as never })
  const observation = combineObservers([observer], {} as Logger).begin({} as never)
  expect(observation?.afterTransaction({} as never)).toBeUndefined()
  expect(observation?.sealed({} as never)).toBeUndefined()
})
