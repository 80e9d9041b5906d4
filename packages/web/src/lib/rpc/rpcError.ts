/** What the network answered instead of a result. */
export class RpcError extends Error {
  readonly code: number
  /** Return data of a revert, or the details of the error. */
  readonly data: unknown

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
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

export const isUnauthorised = (error: unknown): boolean => error instanceof RpcError && error.code === unauthorised

/** What a person reads of an error: what happened, and what can be done about it. */
export function describeError(error: unknown): { title: string; advice?: string } {
  if (error instanceof UnreachableError)
    return {
      title: 'The network does not answer',
      advice: 'Check that it still runs. This page goes on by itself when it is back.',
    }
  if (isUnauthorised(error))
    return { title: 'This key may not do that', advice: `${messageOf(error)} — keys are entered under Settings.` }
  const [title = '', ...advice] = messageOf(error).split(/(?<=\.) /)
  return { title: capitalise(title.replace(/\.$/, '')), advice: advice.length > 0 ? advice.join(' ') : undefined }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
