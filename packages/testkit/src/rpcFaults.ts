import type { Faults } from './faultProxy.ts'

/** A JSON-RPC call as it arrived. */
export type RpcCall = { jsonrpc: '2.0'; id: unknown; method: string; params?: readonly unknown[] }

/** The part of an answer that a fault decides. */
export type RpcAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

type Answered = { status: number; body: unknown }

/** Answers a body with the faults applied; what no fault answers is asked of the target, in one request. */
export async function answerFor(body: RpcCall | RpcCall[], faults: Faults, targetUrl: string): Promise<Answered> {
  if (!Array.isArray(body)) {
    const fault = await faultFor(body, faults, targetUrl)
    return fault ? { status: 200, body: { jsonrpc: '2.0', id: body.id, ...fault } } : forward(targetUrl, body)
  }

  const refusal = refusalOf(body, faults)
  if (refusal) return refusal

  const answers = new Map<number, unknown>()
  const passed: RpcCall[] = []
  for (const [place, call] of body.entries()) {
    const fault = isLimited(place, faults.limitItems) ? tooManyRequests : await faultFor(call, faults, targetUrl)
    if (fault) answers.set(place, { jsonrpc: '2.0', id: call.id, ...fault })
    else passed.push(call)
  }
  if (answers.size === 0) return forward(targetUrl, body)

  const forwarded = passed.length > 0 ? await forward(targetUrl, passed) : { status: 200, body: [] }
  const rest = forwarded.body as unknown[]
  return { status: forwarded.status, body: body.map((_, place) => answers.get(place) ?? rest.shift()) }
}

const tooManyRequests: RpcAnswer = {
  error: { code: 429, message: 'Your app has exceeded its compute units per second capacity' },
}

function refusalOf(batch: readonly RpcCall[], { refuseBatches, maxBatch }: Faults): Answered | undefined {
  const error = (message: string) => ({ jsonrpc: '2.0', id: null, error: { code: -32600, message } })
  if (refuseBatches === 'status') return { status: 400, body: error('batch requests are not supported') }
  if (refuseBatches === 'object') return { status: 200, body: error('batch requests are not supported') }
  if (refuseBatches === 'empty') return { status: 200, body: [] }
  if (maxBatch !== undefined && batch.length > maxBatch) {
    return { status: 200, body: error(`batch of ${batch.length} calls is larger than ${maxBatch}`) }
  }
  return undefined
}

function isLimited(place: number, limit: Faults['limitItems']): boolean {
  if (limit === undefined) return false
  return 'allBut' in limit ? place >= limit.allBut : limit.includes(place)
}

async function faultFor(call: RpcCall, faults: Faults, targetUrl: string): Promise<RpcAnswer | undefined> {
  if (faults.missingMethods?.includes(call.method)) {
    return { error: { code: -32601, message: `the method ${call.method} does not exist/is not available` } }
  }
  if (faults.refuseBlockHashes && typeof blockOf(call) === 'object') {
    return { error: { code: -32602, message: 'invalid argument 1: hex string without 0x prefix' } }
  }
  if (faults.prunedBelow !== undefined) {
    const block = await stateBlock(call, targetUrl)
    if (block !== undefined && block < faults.prunedBelow) {
      const message = `missing trie node ${'ab'.repeat(32)} (path ) state 0x${'cd'.repeat(32)} is not available`
      return { error: { code: -32000, message } }
    }
  }
  return faults.answer?.(call)
}

/** Where the methods that read state have their block parameter. */
const blockPlaces: Record<string, number> = {
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_createAccessList: 1,
  debug_traceCall: 1,
}

/** A number, a tag, or an object with the hash (EIP-1898). */
function blockOf({ method, params }: RpcCall): unknown {
  const place = blockPlaces[method]
  return place === undefined ? undefined : params?.[place]
}

async function stateBlock(call: RpcCall, targetUrl: string): Promise<number | undefined> {
  const block = blockOf(call)
  if (typeof block === 'string') return block.startsWith('0x') ? Number(block) : undefined
  const { blockHash } = (block ?? {}) as { blockHash?: string }
  if (blockHash === undefined) return undefined
  const ask: RpcCall = { jsonrpc: '2.0', id: 0, method: 'eth_getBlockByHash', params: [blockHash, false] }
  const { result } = (await forward(targetUrl, ask)).body as { result?: { number: string } | null }
  return result ? Number(result.number) : undefined
}

async function forward(targetUrl: string, body: RpcCall | RpcCall[]): Promise<Answered> {
  const response = await fetch(targetUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
