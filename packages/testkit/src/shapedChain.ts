import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AnvilOptions, startAnvil } from './anvil.ts'
import type { RpcAnswer, RpcCall } from './faults/calls.ts'

type Raw = Record<string, unknown>

export type ChainShape = {
  anvil: AnvilOptions
  /** What the chain's blocks look like, made of anvil's; transactions in it are hashes or whole, as was asked. */
  block?: (raw: Raw) => Raw
  /** Answers a call instead of anvil; `undefined` passes it on. */
  answer?: (call: RpcCall) => RpcAnswer | undefined
  /** Methods that the chain's nodes do not have. */
  missing?: readonly string[]
}

/** A live chain of another kind: a real anvil that executes, with the blocks and the answers of that kind. */
export type ShapedChain = {
  readonly url: string
  rpc<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>
  /** Changes what it looks like from now on. */
  reshape(shape: Partial<Omit<ChainShape, 'anvil'>>): void
  /** HTTP requests that arrived. */
  requests(): number
  stop(): Promise<void>
}

export async function startShapedChain(shape: ChainShape): Promise<ShapedChain> {
  const anvil = await startAnvil(shape.anvil)
  let current = shape
  let requests = 0

  async function answer(call: RpcCall): Promise<unknown> {
    const own: RpcAnswer | undefined = current.missing?.includes(call.method)
      ? { error: { code: -32601, message: `the method ${call.method} does not exist/is not available` } }
      : current.answer?.(call)
    if (own) return { jsonrpc: '2.0', id: call.id, ...own }
    const response = await fetch(anvil.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    const answered = (await response.json()) as { result?: Raw | null }
    const isBlock = /^eth_getBlockBy(Number|Hash)$/.test(call.method) && answered.result
    if (isBlock && current.block) answered.result = current.block(answered.result as Raw)
    return answered
  }

  const server = createServer((request, response) => {
    requests++
    readBody(request)
      .then(async (body) => {
        const parsed = JSON.parse(body) as RpcCall | RpcCall[]
        const answered = Array.isArray(parsed) ? await Promise.all(parsed.map(answer)) : await answer(parsed)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered))
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rpc: anvil.rpc,
    reshape(changes) {
      current = { ...current, ...changes }
    },
    requests: () => requests,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await anvil.stop()
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
