import { ponder } from 'ponder:registry'
import { plainEvent } from 'ponder:schema'

ponder.on('Events:Plain', async ({ event, context }) => {
  await context.db.insert(plainEvent).values({
    id: event.id,
    value: Number(event.args.value),
    block: Number(event.block.number),
    logIndex: event.log.logIndex,
    transactionHash: event.transaction.hash,
  })
})
