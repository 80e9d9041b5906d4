import { apiKey } from './apiKey.ts'
import { RpcError, UnreachableError } from './rpcError.ts'

type Waiting = {
  method: string
  params: readonly unknown[]
  resolve(result: unknown): void
  reject(error: Error): void
}
type Answer = { id: number; result?: unknown; error?: { code: number; message: string; data?: unknown } }

/** At most so many requests in a batch: well below the network's own limit. */
const maxBatch = 100

/** These may take long, or ask somebody else: nothing else waits for them in a batch. */
const slow = /^debug_|^dev_(getDrift|importContracts|getContractAbi|getContractSources|getWorkspaceOverview)$/

let waiting: Waiting[] = []

/**
 * Sends one request, with the others of the same moment in one batch.
 * Throws `RpcError` for an error answer and `UnreachableError` when none comes.
 */
export function request(method: string, params: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    waiting.push({ method, params, resolve, reject })
    if (waiting.length === 1) setTimeout(flush, 0)
  })
}

function flush(): void {
  const alone = waiting.filter(({ method }) => slow.test(method))
  const requests = waiting.filter(({ method }) => !slow.test(method))
  waiting = []
  for (const one of alone) void send([one])
  for (let start = 0; start < requests.length; start += maxBatch) void send(requests.slice(start, start + maxBatch))
}

async function send(requests: readonly Waiting[]): Promise<void> {
  try {
    const answers = await post(requests.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params })))
    for (const [id, { resolve, reject }] of requests.entries()) {
      const answer = Array.isArray(answers) ? answers.find((one) => one.id === id) : answers
      if (answer === undefined) reject(new UnreachableError(undefined))
      else if (answer.error) reject(new RpcError(answer.error))
      else resolve(answer.result)
    }
  } catch (error) {
    for (const { reject } of requests) reject(error as Error)
  }
}

/** Answers one object instead of a list when the whole batch was refused. */
async function post(body: readonly object[]): Promise<Answer | Answer[]> {
  const key = apiKey.get()
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (key) headers.authorization = `Bearer ${key}`
  try {
    const response = await fetch('/', { method: 'POST', headers, body: JSON.stringify(body) })
    return await response.json()
  } catch (cause) {
    throw new UnreachableError(cause)
  }
}
