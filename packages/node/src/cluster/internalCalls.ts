import { createHash, createHmac } from 'node:crypto'

/** Where nodes of a network send each other calls. */
export const internalPath = '/internal/calls'

/** The host that such calls name: every server answers to it, whatever its address is. */
export const hostNameOfNodes = 'localhost'

export const internalHeaders = {
  /** Proves that the sender has the secret of the lease, which who can read the database has. */
  signature: 'x-understudy-signature',
  /** When it was signed, in milliseconds since 1970. */
  time: 'x-understudy-time',
  /** Used once. */
  nonce: 'x-understudy-nonce',
  /** The SHA-256 of the body: the signature can be checked before the body is read. */
  digest: 'x-understudy-digest',
  /** Who asked, and what they may do: the node that they came to has looked. */
  role: 'x-understudy-role',
  key: 'x-understudy-key',
  /** The kind of the error in the answer. */
  error: 'x-understudy-error',
  /** The number of the last transaction when it was answered. */
  revision: 'x-understudy-revision',
} as const

/** What is signed of a call, each as its header has it. */
export type SignedCall = { time: string; nonce: string; digest: string; role: string; key: string | undefined }

/** The signature of a call: an HMAC over method, path and fields. Headers have no line breaks, so no field runs into the next. */
export function signatureOf(secret: string, { time, nonce, digest, role, key = '' }: SignedCall): string {
  const text = ['understudy-call-1', 'POST', internalPath, time, nonce, digest, role, key].join('\n')
  return createHmac('sha256', secret).update(text).digest('hex')
}

export function digestOfBody(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}
