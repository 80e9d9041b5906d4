import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../shared/clock.ts'
import { internalHeaders, type SignedCall, signatureOf } from './internalCalls.ts'

/** Checks that a call comes from a node of the network and is not a replay. Returns the call, or the problem. */
export type PeerCheck = (headers: IncomingHttpHeaders) => SignedCall | { problem: string }

/** Maximum difference between the clocks of nodes, including the transit time of a call, in milliseconds. */
const skewMs = 30_000

/** `secret` is the secret of the lease; `undefined` while no node holds it. */
export function createPeerCheck(secret: () => string | undefined, { clock }: { clock: Clock }): PeerCheck {
  const seen = createNonces(2 * skewMs, clock)

  return (headers) => {
    const call = callOf(headers)
    const key = secret()
    if (!call || !key || !isEqual(String(headers[internalHeaders.signature]), signatureOf(key, call)))
      return { problem: 'only nodes of the network may call this' }
    const offMs = Math.abs(clock.now() - Number(call.time))
    if (!(offMs <= skewMs))
      return {
        problem: `the clocks of the nodes are ${Math.round(offMs / 1000)} s apart; the maximum is ${skewMs / 1000}`,
      }
    return seen(call.nonce) ? { problem: 'this call was already made' } : call
  }
}

function callOf(headers: IncomingHttpHeaders): SignedCall | undefined {
  const names = ['time', 'nonce', 'digest', 'role', 'key', 'branch'] as const
  const [time, nonce, digest, role, key, branch] = names.map((name) => {
    const value = headers[internalHeaders[name]]
    return typeof value === 'string' ? value : undefined
  })
  return time && nonce && digest && role ? { time, nonce, digest, role, key, branch } : undefined
}

/** Remembers values for at least `ms` and at most twice as long. Returns whether a value was already present. */
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
