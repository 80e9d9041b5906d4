import { createEvm, forks } from '@understudy/evm'
import { expect, it } from 'vitest'
import { areForkReadings, hashReadings } from '../../ethereum/chains/prices/forkReadings.ts'
import { withoutMissing } from '../../ethereum/chains/prices/foundPrices.ts'
import { ownReadings } from './ownReadings.ts'

const engine = createEvm()

it.each(forks)('are known by their hashes, by the prices of %s', async (fork) => {
  const readings = withoutMissing(await ownReadings(engine, { fork }), fork)
  expect({ hashes: hashReadings(readings), isKnown: areForkReadings(readings, fork) }).toMatchObject({ isKnown: true })
  const other = withoutMissing(await ownReadings(engine, { fork, prices: { logTopic: 376 } }), fork)
  expect(areForkReadings(other, fork)).toBe(false)
})
