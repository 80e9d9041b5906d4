const { Events } = require('generated')

Events.Plain.handler(async ({ event, context }) => {
  context.PlainEvent.set({
    id: `${event.block.number}-${event.logIndex}`,
    value: Number(event.params.value),
    block: event.block.number,
    transactionHash: event.transaction.hash,
  })
})
