import { createFakeClock } from '@understudy/testkit'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { AwakeNetworks } from './awakeNetworks.ts'

const network = { name: 'a', id: '1' }

function createAwake() {
  let stops = 0
  const node = { failed: new Promise<Error>(() => {}), stop: async () => void stops++ }
  const awake = new AwakeNetworks(
    { sleepAfterMs: undefined, awakeLimit: 2 },
    { open: async () => node as never, clock: createFakeClock(), logger: pino({ level: 'silent' }) },
  )
  return { awake, use: () => awake.use(network, () => {}), stops: () => stops }
}

it('keeps a network that is made while the list is read', async () => {
  const { awake, use, stops } = createAwake()
  await awake.closeRemoved(async () => {
    await use()
    return []
  })
  expect([awake.stateOf(network).state, stops()]).toEqual(['awake', 0])
})

it('closes a network that is not in the list any more', async () => {
  const { awake, use, stops } = createAwake()
  const { release } = await use()
  release()
  await awake.closeRemoved(async () => [])
  expect([awake.stateOf(network).state, stops()]).toEqual(['asleep', 1])
})
