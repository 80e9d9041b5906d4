/** What the network answered instead of a result. */
export class RpcError extends Error {
  readonly code: number
  /** The error's name in docs/errors.md, where it has one. */
  readonly kind: string | undefined
  /** Return data of a revert, or the details of the error. */
  readonly data: unknown

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
    this.kind = typeof data === 'object' && data !== null && 'kind' in data ? String(data.kind) : undefined
  }
}

/** No answer came: the network has stopped, or is out of reach. */
export class UnreachableError extends Error {
  constructor(cause: unknown) {
    super('The network does not answer', { cause })
    this.name = 'UnreachableError'
  }
}

const unauthorised = 4100
const methodMissing = -32601

export const isUnauthorised = (error: unknown): boolean => error instanceof RpcError && error.code === unauthorised
export const isMethodMissing = (error: unknown): boolean => error instanceof RpcError && error.code === methodMissing

/** What a person reads of an error: what happened, and what can be done about it. */
export function describeError(error: unknown): { title: string; advice?: string } {
  if (error instanceof UnreachableError)
    return {
      title: 'The network does not answer',
      advice: 'Check that it still runs. This page goes on by itself when it is back.',
    }
  if (isUnauthorised(error))
    return { title: 'This key may not do that', advice: `${messageOf(error)} — keys are entered under Settings.` }
  if (isMethodMissing(error))
    return { title: 'This network is too old for that', advice: `${messageOf(error)}. Update Understudy.` }
  const [title = '', ...advice] = messageOf(error).split(/(?<=\.) /)
  return { title: capitalise(title.replace(/\.$/, '')), advice: advice.length > 0 ? advice.join(' ') : undefined }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
