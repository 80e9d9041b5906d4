import { beforeEach, describe, expect, it } from 'vitest'
import { Shares } from '../../shared/budget/shares.ts'
import type { Notify } from './subscriptions.ts'
import { heldLimit, Subscriptions } from './subscriptions.ts'

let sent: { subscription: string; result: unknown }[]
let listeners: Set<Notify>
let subscriptions: Subscriptions
let total: Shares
beforeEach(() => {
  sent = []
  listeners = new Set()
  total = new Shares(10)
  let ids = 0
  subscriptions = new Subscriptions({
    limit: 2,
    total,
    holder: 'somebody',
    createId: () => `0x${++ids}`,
    send: (text) => sent.push(JSON.parse(text).params),
  })
})
const start = (notify: Notify) => {
  listeners.add(notify)
  return () => listeners.delete(notify)
}
const tell = (result: string) => {
  for (const notify of listeners) notify(result)
}

describe('subscriptions', () => {
  it('say nothing before the answer with their id is sent, and lose nothing', () => {
    const request = subscriptions.forRequest()
    const id = request.subscribe(start)
    tell('a')
    expect(sent).toEqual([])
    request.answered()
    tell('b')
    expect(sent).toEqual(['a', 'b'].map((result) => ({ subscription: id, result })))
  })

  it('hold back no more than so much', () => {
    subscriptions.forRequest().subscribe(start)
    const long = 'x'.repeat(heldLimit / 4)
    for (let count = 0; count < 3; count++) tell(long)
    expect(sent).toEqual([])
    tell(long)
    expect(sent).toHaveLength(4)
    tell('later')
    expect(sent).toHaveLength(5)
  })

  it('end when they are asked to, each once, and all with the connection', () => {
    const request = subscriptions.forRequest()
    const [first] = [request.subscribe(start), request.subscribe(start)]
    expect(() => request.subscribe(start)).toThrow(expect.objectContaining({ kind: 'LIMIT_EXCEEDED' }))
    expect(request.unsubscribe(first)).toBe(true)
    expect(request.unsubscribe(first)).toBe(false)
    expect(listeners.size).toBe(1)
    subscriptions.clear()
    expect([listeners.size, subscriptions.size, total.used]).toEqual([0, 0, 0])
    request.answered()
    expect(sent).toEqual([])
  })
})
