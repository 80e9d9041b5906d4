import { createFakeClock } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { createEvents } from '../../shared/events.ts'
import { wordFromBigint } from '../../shared/hex.ts'
import type { ChainEvents } from '../chainEvents.ts'
import { createHashReads } from './hashReads.ts'

const unknown = wordFromBigint(1n)
const known = wordFromBigint(2n)

it('asks the live chain again for an unknown hash with its next head, or after five seconds', async () => {
  const asked: string[] = []
  const clock = createFakeClock()
  const events = createEvents<ChainEvents>(() => {})
  const upstream = async <T>(method: string, [hash]: readonly unknown[]) => {
    asked.push(method)
    return (hash === known ? { hash } : null) as T
  }
  const read = createHashReads({ upstream, events, clock })

  expect(await read('eth_getTransactionByHash', unknown)).toBeNull()
  expect(await read('eth_getTransactionReceipt', unknown)).toBeNull()
  expect(asked).toEqual(['eth_getTransactionByHash'])
  for (let count = 0; count < 2; count++)
    expect(await read('eth_getBlockByHash', known, false)).toEqual({ hash: known })
  expect(asked).toHaveLength(3)

  events.emit('upstream', { number: 1n, hash: known })
  expect(await read('eth_getBlockByHash', unknown, false)).toBeNull()
  expect(asked).toHaveLength(4)
  clock.advance(4999)
  expect(await read('eth_getBlockByHash', unknown, false)).toBeNull()
  expect(asked).toHaveLength(4)
  clock.advance(1)
  expect(await read('eth_getBlockByHash', unknown, false)).toBeNull()
  expect(asked).toHaveLength(5)
})
