import type { BlockContext } from '@understudy/evm'
import { expect, it } from 'vitest'
import { blockInFork } from './forecast.ts'

it('keeps the prices of a chain that the fork does not change', () => {
  const precompiles = { [`0x${'00'.repeat(19)}08`]: { base: 67_500, perWord: 0 } }
  const prices = { coldSload: 5460, coldSstore: 2940, sstoreReset: 2060, precompiles }
  const block = { fork: 'osaka', number: 7n, prices } as unknown as BlockContext
  expect(blockInFork(block, 'amsterdam')).toEqual({
    fork: 'amsterdam',
    number: 7n,
    prices: { coldSload: 5460, precompiles },
  })
  expect(blockInFork(block, 'prague')).toEqual({ ...block, fork: 'prague' })
})
