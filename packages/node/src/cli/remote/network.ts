import { answeredError, call, type ExtensionMethod, type Params, type Result } from '@understudy/client/methods'
import { BaseError, createClient, HttpRequestError, http } from 'viem'

/** Methods of Ethereum nodes and of other test networks. */
type CommonMethod = `${'eth' | 'evm' | 'anvil'}_${string}`

/** A running network, called through its methods. */
export type RemoteNetwork = {
  /**
   * Results of our methods have the types of their reference; of others, the caller names the type. The network checks
   * the parameters: they are what was typed on the command line. Throws `RemoteError`.
   */
  call<Name extends ExtensionMethod>(method: Name, params?: readonly unknown[]): Promise<Result<Name>>
  call<Answer = unknown>(method: CommonMethod, params?: readonly unknown[]): Promise<Answer>
}

/** An error answer of a network, or the reason why it could not be reached. */
export class RemoteError extends Error {
  /** The JSON-RPC code; `undefined` without an answer. */
  readonly code: number | undefined
  readonly data: unknown

  constructor(message: string, answered: { code?: number; data?: unknown } = {}) {
    super(message)
    this.name = 'RemoteError'
    this.code = answered.code
    this.data = answered.data
  }
}

export function connectTo(url: string, apiKey: string | undefined): RemoteNetwork {
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const client = createClient({
    // The network bounds its answers itself, and a thousand blocks take their time.
    transport: http(url, { fetchOptions: { headers }, timeout: 0, maxResponseBodySize: false }),
  })
  return {
    async call<Answer>(method: string, params: readonly unknown[] = []) {
      const answer = call(client, method as ExtensionMethod, ...(params as Params<ExtensionMethod>))
      const result = await answer.catch((error) => Promise.reject(remoteError(error, url)))
      if (result === undefined) throw strangeAnswer(url)
      return result as Answer
    },
  }
}

function remoteError(error: unknown, url: string): unknown {
  const answered = answeredError(error)
  if (answered) return new RemoteError(answered.message, answered)
  const failed = error instanceof BaseError ? error.walk((cause) => cause instanceof HttpRequestError) : undefined
  if (!(failed instanceof HttpRequestError)) return error
  if (failed.status === undefined && !(failed.cause instanceof SyntaxError)) return noNetworkAt(url)
  return strangeAnswer(url)
}

export function noNetworkAt(url: string): RemoteError {
  return new RemoteError(
    `no network answers at ${url}. Start one with \`understudy start\`, or set its URL with --rpc-url or UNDERSTUDY_RPC_URL`,
  )
}

export function strangeAnswer(url: string): RemoteError {
  return new RemoteError(`${url} answered without JSON-RPC. Is it an Understudy network?`)
}
