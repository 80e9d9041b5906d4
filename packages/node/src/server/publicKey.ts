import { createHmac, timingSafeEqual } from 'node:crypto'

/** Begins keys that holders of a key give to others. They are 54 characters long. */
const prefix = 'public_'

/** A network of the process: its name if it has several, and the branch, if it is one. */
export type KeyScope = { network?: string | undefined; branch: string }

/** A key: its id, and its digest, which is a secret as it is. */
type KeyOfHolder = { id: string; digest: Buffer }

/**
 * A key to give to others: with it, JSON-RPC of one network is called with the role write at most, within the quotas of
 * the key that it is made of, which cannot be found from it.
 */
export const publicKeyOf = ({ id, digest }: KeyOfHolder, scope: KeyScope): string =>
  `${prefix}${id}_${signatureOf(digest, scope).toString('hex', 0, 19)}`

/** The id of the key that a public key is made of; `undefined` for other keys. */
export const idOfPublicKey = (given: string): string | undefined => /^public_([\da-f]{8})_[\da-f]{38}$/.exec(given)?.[1]

export function isPublicKeyOf(given: string, key: KeyOfHolder, scope: KeyScope): boolean {
  const expected = Buffer.from(publicKeyOf(key, scope))
  const sent = Buffer.from(given)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

const signatureOf = (digest: Buffer, { network = '', branch }: KeyScope) =>
  createHmac('sha256', digest)
    .update(JSON.stringify([network, branch]))
    .digest()

/** The branch of a path at which public keys are valid: `/n/NAME/rpc/KEY`, and `/rpc/KEY` of a network beside others. */
export function scopeOfPath(url: string, network: string | undefined): KeyScope | undefined {
  const path = /^(?:\/n\/([^/?]+))?\/rpc\/[^/?]+\/?(?:\?|$)/.exec(url)
  if (!path || (path[1] === undefined && network === undefined)) return undefined
  try {
    return { network, branch: decodeURIComponent(path[1] ?? '') }
  } catch {
    return undefined
  }
}
