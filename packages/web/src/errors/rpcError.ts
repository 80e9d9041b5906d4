/** An error that the network answered. */
export class RpcError extends Error {
  readonly code: number
  /** The return data of a revert, or details. */
  readonly data: unknown

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

/** The network did not answer. */
export class UnreachableError extends Error {
  constructor(cause: unknown) {
    super('The network is not responding', { cause })
    this.name = 'UnreachableError'
  }
}

const unauthorised = 4100

export const isUnauthorised = (error: unknown): boolean => error instanceof RpcError && error.code === unauthorised

const tooMuch = -32005

/** Whether the request asks for more than the network answers at once. */
export const isTooMuch = (error: unknown): boolean => error instanceof RpcError && error.code === tooMuch

const reverted = 3

export const isReverted = (error: unknown): boolean => error instanceof RpcError && error.code === reverted

/** An error for display: what happened, and what to do. */
export function describeError(error: unknown): { title: string; advice?: string } {
  if (error instanceof UnreachableError)
    return {
      title: 'The network is not responding',
      advice: 'Check that it is running. This page reconnects automatically.',
    }
  if (isUnauthorised(error))
    return {
      title: 'This API key is not allowed to do that',
      advice: `${messageOf(error)}. Change the key in Settings.`,
    }
  const [title = '', ...advice] = withoutPosition(messageOf(error)).split(/(?<=\.) /)
  return { title: capitalise(title.replace(/\.$/, '')), advice: advice.length > 0 ? advice.join(' ') : undefined }
}

/** The message about a parameter, named as the form's field is. */
function withoutPosition(message: string): string {
  return message.replace(/^invalid params: (params\[\d+\](\.|: ))?/i, '')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
