import { onchainTable } from 'ponder'

export const plainEvent = onchainTable('plain_event', (columns) => ({
  id: columns.text().primaryKey(),
  value: columns.integer().notNull(),
  block: columns.integer().notNull(),
  logIndex: columns.integer().notNull(),
  transactionHash: columns.hex().notNull(),
}))
