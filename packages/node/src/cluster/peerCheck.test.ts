import { createFakeClock } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { digestOfBody, internalHeaders, type SignedCall, signatureOf } from './internalCalls.ts'
import { createPeerCheck } from './peerCheck.ts'

const secret = 'the secret of the lease'
const clock = createFakeClock()
let nonces = 0

const callAt = (time: number): SignedCall => ({
  time: String(time),
  nonce: `nonce-${++nonces}`,
  digest: digestOfBody('{}'),
  role: 'write',
  key: '9f86d081',
})
const headersOf = (call: SignedCall, signature = signatureOf(secret, call)) => ({
  [internalHeaders.signature]: signature,
  ...Object.fromEntries(Object.entries(call).map(([name, value]) => [internalHeaders[name as 'time'], value])),
})
const stranger = { problem: 'only nodes of the network may call this' }

it('lets a signed call in, once', () => {
  const check = createPeerCheck(() => secret, { clock })
  const call = callAt(clock.now())
  expect(check(headersOf(call))).toEqual(call)
  expect(check(headersOf(call))).toEqual({ problem: 'this call was already made' })
})

it('remembers what came for as long as it would be let in', () => {
  const check = createPeerCheck(() => secret, { clock })
  const ahead = callAt(clock.now() + 30_000)
  expect(check(headersOf(ahead))).toEqual(ahead)
  for (let passed = 0; passed < 60_000; passed += 20_000) {
    clock.advance(20_000)
    expect(check(headersOf(callAt(clock.now())))).not.toHaveProperty('problem')
    expect(check(headersOf(ahead))).toEqual({ problem: 'this call was already made' })
  }
  clock.advance(1)
  expect(check(headersOf(ahead))).toEqual({ problem: 'the clocks of the nodes are 30 s apart; the maximum is 30' })
})

it.each([-31_000, 31_000, 1e15, Number.NaN])('names a clock that is %d ms off', (ms) => {
  const check = createPeerCheck(() => secret, { clock })
  expect(check(headersOf(callAt(clock.now() + ms)))).toEqual({
    problem: expect.stringMatching(/^the clocks of the nodes are \S+ s apart; the maximum is 30$/),
  })
})

it.each(['time', 'nonce', 'digest', 'role', 'key'] as const)(
  'lets no call in whose %s is not the signed one',
  (name) => {
    const check = createPeerCheck(() => secret, { clock })
    const call = callAt(clock.now())
    expect(check(headersOf({ ...call, [name]: 'admin' }, signatureOf(secret, call)))).toEqual(stranger)
  },
)

it('refuses requests without a signature, with that of another secret, or while there is no secret', () => {
  const check = createPeerCheck(() => secret, { clock })
  const call = callAt(clock.now())
  expect(check({})).toEqual(stranger)
  expect(check(headersOf(call, ''))).toEqual(stranger)
  expect(check(headersOf(call, 'é'.repeat(64)))).toEqual(stranger)
  expect(check(headersOf(call, signatureOf('a secret of before', call)))).toEqual(stranger)
  for (const none of [undefined, ''])
    expect(createPeerCheck(() => none, { clock })(headersOf(call, signatureOf('', call)))).toEqual(stranger)
  expect(check(headersOf(call))).toEqual(call)
})
