import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { createGate } from './gate.ts'
import { answerFor, type RpcAnswer, type RpcCall } from './rpcFaults.ts'

/** What goes wrong between a client and its upstream. Everything is off by default. */
export type Faults = {
  /** Milliseconds before each HTTP request is answered. */
  delayMs?: number
  /** This HTTP status for every request, such as 429 or 503, with `headers`. */
  status?: number
  /** Added to every answer, such as `retry-after`. */
  headers?: Record<string, string>
  /** Batch items that get a 429 error inside an HTTP 200: at these places of the batch, or all but the first N. */
  limitItems?: readonly number[] | { allBut: number }
  /** How a batch is refused: HTTP 400, HTTP 200 with one error object that is no array, or an empty array. */
  refuseBatches?: 'status' | 'object' | 'empty'
  /** Batches with more calls than this get one error object, as some providers do. */
  maxBatch?: number
  /** This in place of every answer, with `headers`. */
  body?: Buffer
  /** Cuts the answer's JSON in its middle. */
  truncate?: boolean
  /** Resets the connection in place of an answer. */
  reset?: boolean
  /** Methods that are answered -32601. */
  missingMethods?: readonly string[]
  /** State of blocks below this number is answered «missing trie node». */
  prunedBelow?: number
  /** State is not read by the hash of a block (EIP-1898), only by its number. */
  refuseBlockHashes?: boolean
  /** Answers a call in place of the upstream; `undefined` passes it on. */
  answer?: (call: RpcCall) => RpcAnswer | undefined | Promise<RpcAnswer>
}

/** What passed through since the start or `resetStats()`. */
export type ProxyStats = {
  /** HTTP requests that arrived. */
  requests: number
  /** HTTP requests that held a batch. */
  batches: number
  /** RPC calls that arrived, alone or in batches. */
  calls: number
  byMethod: Record<string, number>
  /** Calls of the largest batch. */
  largestBatch: number
  /** The most HTTP requests that were being answered at one time. */
  maxInFlight: number
}

export type FaultProxy = {
  readonly url: string
  readonly port: number
  /** Sets faults; those that are not named stay as they are, `undefined` turns one off. */
  set(faults: Faults): void
  /** Turns every fault off. */
  clear(): void
  /** Faults for the next `count` HTTP requests only, on top of those that are set. */
  next(count: number, faults: Faults): void
  /** Keeps every HTTP request waiting until the returned function is called. */
  hold(): () => void
  /** Passes everything on to another server from now on. */
  pointTo(url: string): void
  /** Refuses connections, and cuts those that are open. */
  down(): Promise<void>
  /** Listens again, on the same port. */
  up(): Promise<void>
  /** Resolves when `count` HTTP requests have arrived since the last `resetStats()`. */
  arrived(count: number): Promise<void>
  stats(): ProxyStats
  resetStats(): void
  stop(): Promise<void>
}

/** Starts an HTTP proxy in front of a JSON-RPC server: a perfect one until faults are set. It passes WebSockets on when it is told to. */
export async function startFaultProxy(url: string, { webSockets = false } = {}): Promise<FaultProxy> {
  let targetUrl = url
  let faults: Faults = {}
  let limited: { count: number; faults: Faults }[] = []
  let stats = emptyStats()
  let inFlight = 0
  let port = 0
  const gate = createGate()
  const arrivals = new Set<() => void>()

  const server = createServer((request, response) => {
    inFlight++
    response.once('close', () => inFlight--)
    handle(request, response).catch(() => response.destroy())
  })

  if (webSockets) server.on('upgrade', (request, socket) => passOn(request, socket, targetUrl))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const active = takeFaults()
    const body = await readBody(request)
    const parsed = JSON.parse(body) as RpcCall | RpcCall[]
    count(parsed)
    await gate.passed()
    if (active.delayMs) await new Promise((resolve) => setTimeout(resolve, active.delayMs))
    if (active.reset) return void request.socket.resetAndDestroy()
    const headers = { 'content-type': 'application/json', ...active.headers }
    if (active.status) return void response.writeHead(active.status, headers).end(`status ${active.status}`)
    if (active.body) return void response.writeHead(200, headers).end(active.body)
    const answer = await answerFor(parsed, active, targetUrl)
    const text = JSON.stringify(answer.body)
    response.writeHead(answer.status, headers).end(active.truncate ? text.slice(0, text.length >> 1) : text)
  }

  function takeFaults(): Faults {
    let active = faults
    for (const entry of limited) {
      active = { ...active, ...entry.faults }
      entry.count--
    }
    limited = limited.filter((entry) => entry.count > 0)
    return active
  }

  function count(parsed: RpcCall | RpcCall[]): void {
    const calls = Array.isArray(parsed) ? parsed : [parsed]
    stats.requests++
    stats.calls += calls.length
    stats.maxInFlight = Math.max(stats.maxInFlight, inFlight)
    if (Array.isArray(parsed)) {
      stats.batches++
      stats.largestBatch = Math.max(stats.largestBatch, calls.length)
    }
    for (const { method } of calls) stats.byMethod[method] = (stats.byMethod[method] ?? 0) + 1
    for (const check of arrivals) check()
  }

  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        server.removeListener('error', reject)
        resolve()
      })
    })

  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })

  await listen()
  port = (server.address() as AddressInfo).port

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    set(more) {
      faults = { ...faults, ...more }
    },
    clear() {
      faults = {}
      limited = []
    },
    next(times, more) {
      limited.push({ count: times, faults: more })
    },
    hold: () => gate.close(),
    pointTo(other) {
      targetUrl = other
    },
    down: close,
    up: listen,
    arrived(wanted) {
      return new Promise((resolve) => {
        const check = () => {
          if (stats.requests < wanted) return
          arrivals.delete(check)
          resolve()
        }
        arrivals.add(check)
        check()
      })
    },
    stats: () => structuredClone(stats),
    resetStats() {
      stats = emptyStats()
    },
    async stop() {
      gate.open()
      await close()
    },
  }
}

function emptyStats(): ProxyStats {
  return { requests: 0, batches: 0, calls: 0, byMethod: {}, largestBatch: 0, maxInFlight: 0 }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Repeats a request for another protocol to the server behind, and passes on whatever either side sends from then on. */
function passOn({ method, url, rawHeaders }: IncomingMessage, socket: Duplex, targetUrl: string): void {
  const { hostname, port } = new URL(targetUrl)
  const target = connect(Number(port), hostname, () => {
    const headers = Array.from({ length: rawHeaders.length / 2 }, (_, index) =>
      rawHeaders.slice(index * 2, index * 2 + 2).join(': '),
    )
    target.write(`${[`${method} ${url} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`)
  })
  for (const [from, to] of [
    [socket, target],
    [target, socket],
  ] as const)
    pipeline(from, to, () => to.destroy())
}
