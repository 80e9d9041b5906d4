import type { RpcCall, RpcError } from './calls.ts'

type Body = { status: number; body: unknown }

/** Passes a call or a batch on to the server behind. */
export async function forward(targetUrl: string, body: RpcCall | readonly RpcCall[]): Promise<Body> {
  const response = await fetch(targetUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

/** The chain, as the one server sees it that answers a request. */
export type View = {
  /** The number of the newest block. */
  head(): Promise<number>
  /** The number of the block that a state read or a range names; `undefined` where there is no such block. */
  numberOf(block: unknown): Promise<number | undefined>
}

/** A view that asks the target, and each thing once. `headNow` replaces its newest block. */
export function viewOf(targetUrl: string, headNow?: number): View {
  const known = new Map<string, Promise<unknown>>()
  const ask = (method: string, params: readonly unknown[]) => {
    const key = JSON.stringify([method, params])
    const asked = known.get(key) ?? resultOf(targetUrl, method, params)
    known.set(key, asked)
    return asked
  }
  const head = async () => headNow ?? Number(await ask('eth_blockNumber', []))
  return {
    head,
    async numberOf(block) {
      if (isObject(block)) {
        if (block.blockNumber !== undefined) return Number(block.blockNumber)
        return numberIn(await ask('eth_getBlockByHash', [block.blockHash, false]))
      }
      if (typeof block !== 'string' || block === 'latest' || block === 'pending') return head()
      if (/^0x[0-9a-f]{64}$/i.test(block)) return numberIn(await ask('eth_getBlockByHash', [block, false]))
      return block.startsWith('0x') ? Number(block) : numberIn(await ask('eth_getBlockByNumber', [block, false]))
    },
  }
}

export async function resultOf(targetUrl: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const { body } = await forward(targetUrl, { jsonrpc: '2.0', id: 0, method, params })
  return (body as { result?: unknown; error?: RpcError }).result
}

function numberIn(block: unknown): number | undefined {
  return isObject(block) ? Number(block.number) : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
