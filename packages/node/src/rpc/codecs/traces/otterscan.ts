import { z } from 'zod'

/** Number of transactions per page. A page may have more, to end with a whole block. */
export const PageSize = z.int().min(1).max(1000).meta({ title: 'PageSize', description: 'a number from 1 to 1000' })

export const PageNumber = z.int().min(0).meta({ title: 'PageNumber', description: 'a number from 0' })

const objects = z.array(z.record(z.string(), z.unknown()))

export const SearchPage = z
  .object({ txs: objects, receipts: objects, firstPage: z.boolean(), lastPage: z.boolean() })
  .meta({ title: 'SearchPage' })

export const BlockDetails = z.record(z.string(), z.unknown()).meta({
  title: 'BlockDetails',
  description: 'block (without its transactions, with transactionCount), issuance, totalFees',
})

export const BlockPage = z
  .object({ fullblock: z.record(z.string(), z.unknown()), receipts: objects })
  .meta({ title: 'BlockPage' })
