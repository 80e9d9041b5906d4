import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../shared/clock.ts'
import { internalHeaders, type SignedCall, signatureOf } from './internalCalls.ts'

/** Finds out whether a call comes from a node of the network, for the first time. Answers the call, or what is wrong with it. */
export type PeerCheck = (headers: IncomingHttpHeaders) => SignedCall | { problem: string }

/** How far apart the clocks of nodes may be, and how long a call may be on its way, in milliseconds. */
const skewMs = 30_000

/** `secret` is that of the lease; `undefined` while nobody holds it. */
export function createPeerCheck(secret: () => string | undefined, { clock }: { clock: Clock }): PeerCheck {
  const seen = createNonces(2 * skewMs, clock)

  return (headers) => {
    const call = callOf(headers)
    const key = secret()
    if (!call || !key || !isEqual(String(headers[internalHeaders.signature]), signatureOf(key, call)))
      return { problem: 'only nodes of the network may ask here' }
    const offMs = Math.abs(clock.now() - Number(call.time))
    if (!(offMs <= skewMs))
      return {
        problem: `the clocks of the nodes are ${Math.round(offMs / 1000)} s apart; at most ${skewMs / 1000} may be`,
      }
    return seen(call.nonce) ? { problem: 'this call came before' } : call
  }
}

function callOf(headers: IncomingHttpHeaders): SignedCall | undefined {
  const [time, nonce, digest, role, key] = (['time', 'nonce', 'digest', 'role', 'key'] as const).map((name) => {
    const value = headers[internalHeaders[name]]
    return typeof value === 'string' ? value : undefined
  })
  return time && nonce && digest && role ? { time, nonce, digest, role, key } : undefined
}

/** Remembers what it is given for a time, in milliseconds, and at most twice as long. Answers whether it was given before. */
function createNonces(holdsMs: number, clock: Clock): (nonce: string) => boolean {
  let young = new Set<string>()
  let old = new Set<string>()
  let since = clock.now()
  return (nonce) => {
    if (clock.now() - since >= holdsMs) {
      old = clock.now() - since >= 2 * holdsMs ? new Set() : young
      young = new Set()
      since = clock.now()
    }
    const isKnown = young.has(nonce) || old.has(nonce)
    young.add(nonce)
    return isKnown
  }
}

function isEqual(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)]
  return left.length === right.length && timingSafeEqual(left, right)
}
