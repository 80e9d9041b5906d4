import { db } from 'ponder:api'
import { plainEvent } from 'ponder:schema'
import { Hono } from 'hono'
import { asc } from 'ponder'

const app = new Hono()

/** Every event, in the order of the chain. */
app.get('/events', async (context) => {
  const columns = { value: plainEvent.value, transactionHash: plainEvent.transactionHash }
  const events = await db.select(columns).from(plainEvent).orderBy(asc(plainEvent.block), asc(plainEvent.logIndex))
  return context.json(events)
})

export default app
