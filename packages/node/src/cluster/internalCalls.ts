import { createHash, createHmac } from 'node:crypto'

/** The path at which nodes send each other calls. */
export const internalPath = '/internal/calls'

/** The host name in such calls: every server accepts it, whatever its address. */
export const hostNameOfNodes = 'localhost'

export const internalHeaders = {
  /** Proves that the sender has the secret of the lease, which is stored in the database. */
  signature: 'x-understudy-signature',
  /** The time of the signature, in milliseconds since 1970. */
  time: 'x-understudy-time',
  /** A nonce. */
  nonce: 'x-understudy-nonce',
  /** The SHA-256 of the body, so that the signature can be checked before the body is read. */
  digest: 'x-understudy-digest',
  /** The caller and its role, verified by the node that received the request. */
  role: 'x-understudy-role',
  key: 'x-understudy-key',
  /** The branch that is called, percent-encoded; absent for the network. */
  branch: 'x-understudy-branch',
  /** The kind of the error in the answer. */
  error: 'x-understudy-error',
  /** The revision of the network when it was answered. */
  revision: 'x-understudy-revision',
} as const

/** The signed fields of a call, as in its headers. */
export type SignedCall = {
  time: string
  nonce: string
  digest: string
  role: string
  key: string | undefined
  branch?: string | undefined
}

/**
 * The signature of a call: an HMAC over method, path and fields. Headers cannot contain line breaks, which separate the
 * fields.
 */
export function signatureOf(secret: string, { time, nonce, digest, role, key = '', branch = '' }: SignedCall): string {
  const text = ['understudy-call-1', 'POST', internalPath, time, nonce, digest, role, key, branch].join('\n')
  return createHmac('sha256', secret).update(text).digest('hex')
}

export function digestOfBody(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}
