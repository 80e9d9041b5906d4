import { createFakeClock } from '@understudy/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { changesLimit, createFilters, type Filters } from './filters.ts'
import type { Notify } from './subscriptions.ts'

const clock = createFakeClock()
let filters: Filters
/** Tells every filter that was not stopped. */
let listeners: Set<Notify>
beforeEach(() => {
  let ids = 0
  listeners = new Set()
  filters = createFilters({ filterLimit: 3, filterLifetime: 60 }, { clock, createId: () => `0x${++ids}` })
})
const add = () =>
  filters.add((notify) => {
    listeners.add(notify)
    return () => listeners.delete(notify)
  })
const tell = (change: string) => {
  for (const notify of listeners) notify(change)
}
const notFound = expect.objectContaining({ kind: 'FILTER_NOT_FOUND' })

describe('filters', () => {
  it('hold what happened since they were asked', () => {
    const id = add()
    tell('a')
    tell('b')
    expect(filters.take(id)).toEqual(['a', 'b'])
    expect(filters.take(id)).toEqual([])
    tell('c')
    expect(filters.take(id)).toEqual(['c'])
  })

  it('are forgotten when no client asks for them', () => {
    const [used, unused] = [add(), add()]
    clock.advance(59_000)
    filters.take(used)
    clock.advance(1_000)
    expect(() => filters.take(unused)).toThrow(notFound)
    expect(listeners.size).toBe(1)
    clock.advance(58_000)
    expect(filters.take(used)).toEqual([])
    clock.advance(60_000)
    expect(() => filters.take(used)).toThrow(notFound)
    expect([listeners.size, clock.pending()]).toEqual([0, []])
  })

  it('are forgotten when more happens than they hold', () => {
    const id = add()
    for (let count = 0; count < changesLimit; count++) tell('x')
    expect(filters.take(id)).toHaveLength(changesLimit)
    for (let count = 0; count <= changesLimit; count++) tell('x')
    expect(() => filters.take(id)).toThrow(notFound)
    expect(listeners.size).toBe(0)
  })

  it('are as many as the limit says', () => {
    const [first] = [add(), add(), add()]
    expect(add).toThrow(expect.objectContaining({ kind: 'LIMIT_EXCEEDED' }))
    expect(filters.remove(first)).toBe(true)
    expect(filters.remove(first)).toBe(false)
    add()
  })

  it('are forgotten with their network, and keep no timer, nor do those that come too late', () => {
    const before = clock.pending()
    add()
    filters.stop()
    expect([listeners.size, clock.pending()]).toEqual([0, before])
    add()
    expect(clock.pending()).toEqual(before)
  })
})
