import { expect, test } from 'vitest'
import { readOutcome } from './outcome.ts'

const one = [{ id: 7, method: 'eth_chainId', params: [] }]
const many = Array.from({ length: 50 }, (_, id) => ({ id, method: 'eth_chainId', params: [] }))
const read = (status: number, body: unknown, calls = one, retryAfter?: string) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readOutcome({ status, text, retryAfter, bytes: text.length }, calls, Date.UTC(2026, 0, 1))
}

test('answers are found by their id, in any order, also when an id came back as text', () => {
  const body = [
    { id: '1', result: 'b' },
    { id: 0, result: null },
    { id: 99, result: 'of somebody else' },
  ]
  expect(read(200, body, many)).toEqual({
    type: 'answers',
    byId: new Map([
      [1, { result: 'b' }],
      [0, { result: null }],
    ]),
  })
})

test('an RPC error counts as an answer, whatever the HTTP status, unless a gateway sent it', () => {
  const error = { code: 3, message: 'execution reverted', data: '0x' }
  expect(read(500, { id: null, error })).toEqual({ type: 'answers', byId: new Map([[7, { error }]]) })
  expect(read(400, { id: 7, error })).toEqual({ type: 'answers', byId: new Map([[7, { error }]]) })
  expect(read(503, { id: 7, error })).toEqual({ type: 'failed', problem: 'answered HTTP 503' })
})

test('Retry-After is read as seconds or as a date', () => {
  expect(read(429, '', one, '3')).toMatchObject({ type: 'limited', retryAfterMs: 3000 })
  expect(read(429, '', one, 'Thu, 01 Jan 2026 00:00:09 GMT')).toMatchObject({ retryAfterMs: 9000 })
  expect(read(429, '', one, 'soon')).toMatchObject({ retryAfterMs: undefined })
})

test('a refused batch is asked again in the size that the refusal names, in smaller ones, or one by one', () => {
  const refusal = (status: number, message: string) =>
    read(status, { id: null, error: { code: -32600, message } }, many)
  expect(refusal(200, 'maximum batch size is 20')).toMatchObject({ type: 'batch refused', limit: 20 })
  expect(refusal(200, 'batch too large')).toMatchObject({ type: 'batch refused', limit: undefined })
  expect(read(413, 'Payload Too Large', many)).toMatchObject({ type: 'batch refused', limit: undefined })
  expect(refusal(400, 'batches are not supported')).toMatchObject({ type: 'batch refused', limit: 1 })
  expect(refusal(200, 'rate limit reached')).toMatchObject({ type: 'limited' })
  expect(read(200, { id: null, error: { code: -32603, message: 'Internal error' } }, many)).toMatchObject({
    type: 'failed',
  })
})

test('a wrong key or path is told apart from a server that fails', () => {
  expect(read(403, 'Forbidden')).toEqual({ type: 'denied', problem: 'answered HTTP 403: check its key' })
  expect(read(401, { id: 7, error: { code: -32000, message: 'invalid project id' } })).toMatchObject({ type: 'denied' })
  expect(read(502, '<html>')).toEqual({ type: 'failed', problem: 'answered HTTP 502' })
  expect(read(200, '<html>')).toEqual({ type: 'failed', problem: 'answered something other than JSON-RPC' })
  expect(read(400, '<html>')).toMatchObject({ type: 'answers' })
})
