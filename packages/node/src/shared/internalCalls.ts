/** Where nodes of a network send each other calls. */
export const internalPath = '/internal/calls'

/** The host that such calls name: every server answers to it, whatever its address is. */
export const hostNameOfNodes = 'localhost'

export const internalHeaders = {
  /** That of the lease: who can read the database has it. */
  secret: 'x-understudy-secret',
  /** Who asked, and what they may do: the node that they came to has looked. */
  role: 'x-understudy-role',
  key: 'x-understudy-key',
  /** The kind of the error in the answer. */
  error: 'x-understudy-error',
  /** The number of the last transaction when it was answered. */
  revision: 'x-understudy-revision',
} as const
