import { ProviderRpcError } from './providerRpcError.ts'

type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } }
type WalletRequest = { id: string; status: 'pending' | 'approved' | 'rejected'; account: string | null }

const pollMs = 400

let nextId = 1
/** Calls a method of the network at a URL. Throws `ProviderRpcError`: 4900 if the network does not answer. */
export async function rpc<Result>(url: string, method: string, params: unknown = []): Promise<Result> {
  let answer: Answer
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params })
    const headers = { 'content-type': 'application/json' }
    answer = await (await fetch(url, { method: 'POST', headers, body })).json()
  } catch (error) {
    // The path may have a key.
    throw new ProviderRpcError(4900, `The network at ${hostOf(url)} does not answer: ${(error as Error).message}`)
  }
  if (answer.error) throw new ProviderRpcError(answer.error.code, answer.error.message, answer.error.data)
  return answer.result as Result
}

/** Waits for a person's answer in the dashboard. Throws 4001 if it is no, and 4200 for a node without this wallet. */
export async function approval(url: string, method: string, params: unknown): Promise<WalletRequest> {
  const page = globalThis.location?.origin ?? 'a program'
  let request = await rpc<WalletRequest>(url, 'dev_openWalletRequest', [page, method, params]).catch((error) => {
    if (error.code !== -32601) throw error
    throw new ProviderRpcError(4200, `The node at ${hostOf(url)} is not an Understudy network, so it has no accounts`)
  })
  const prompt =
    request.status === 'pending'
      ? globalThis.open?.(promptUrl(url), `understudy-${request.id}`, 'popup,width=440,height=640')
      : undefined
  while (request.status === 'pending') {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    request = await rpc(url, 'dev_getWalletRequest', [request.id])
  }
  prompt?.close()
  if (request.status === 'approved') return request
  throw new ProviderRpcError(4001, 'The user rejected the request')
}

/** The page that asks, without the key that the URL of the network may have. */
function promptUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/(?:rpc\/[^/]*)?$/, '')}/wallet`
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
