import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { answerFor } from './faults/answer.ts'
import type { RpcCall } from './faults/calls.ts'
import type { Faults } from './faults/faults.ts'
import { answerOfRefusal, type HttpAnswer } from './faults/refusal.ts'
import { createHeadLog } from './faults/replicas.ts'
import { createRequestFaults } from './faults/requests.ts'
import { resultOf } from './faults/target.ts'
import { createGate } from './gate.ts'
import { createRandom } from './random.ts'

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
  /** Turns every fault off, and lets go what is held. */
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

/** The faults that are set, for all requests and for the next ones. */
class SetFaults {
  #faults: Faults = {}
  #limited: { count: number; faults: Faults }[] = []

  set(more: Faults): void {
    this.#faults = { ...this.#faults, ...more }
  }

  clear(): void {
    this.#faults = {}
    this.#limited = []
  }

  next(count: number, faults: Faults): void {
    this.#limited.push({ count, faults })
  }

  /** Those of the next request. */
  take(): Faults {
    let active = this.#faults
    for (const entry of this.#limited) {
      active = { ...active, ...entry.faults }
      entry.count--
    }
    this.#limited = this.#limited.filter((entry) => entry.count > 0)
    return active
  }
}

/** What passed through, and who waits for it. */
class Counts {
  stats = emptyStats()
  inFlight = 0
  readonly #arrivals = new Set<() => void>()

  add(parsed: RpcCall | RpcCall[]): void {
    const calls = Array.isArray(parsed) ? parsed : [parsed]
    this.stats.requests++
    this.stats.calls += calls.length
    this.stats.maxInFlight = Math.max(this.stats.maxInFlight, this.inFlight)
    if (Array.isArray(parsed)) {
      this.stats.batches++
      this.stats.largestBatch = Math.max(this.stats.largestBatch, calls.length)
    }
    for (const { method } of calls) this.stats.byMethod[method] = (this.stats.byMethod[method] ?? 0) + 1
    for (const check of this.#arrivals) check()
  }

  arrived(wanted: number): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.stats.requests < wanted) return
        this.#arrivals.delete(check)
        resolve()
      }
      this.#arrivals.add(check)
      check()
    })
  }
}

/**
 * Starts an HTTP proxy in front of a JSON-RPC server: a perfect one until faults are set. It passes WebSockets on when it is
 * told to. What faults leave to chance is drawn by the seed.
 */
export async function startFaultProxy(url: string, { webSockets = false, seed = 1 } = {}): Promise<FaultProxy> {
  let targetUrl = url
  const faults = new SetFaults()
  const counts = new Counts()
  let port = 0
  const gate = createGate()
  const requestFault = createRequestFaults(seed)
  const random = createRandom(seed)
  let replicas: Faults['replicas']
  let heads = createHeadLog()

  const server = createServer((request, response) => {
    counts.inFlight++
    response.once('close', () => counts.inFlight--)
    handle(request, response).catch(() => response.destroy())
  })

  if (webSockets) server.on('upgrade', (request, socket) => passOn(request, socket, targetUrl))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const active = faults.take()
    const body = await readBody(request)
    const parsed = JSON.parse(body) as RpcCall | RpcCall[]
    counts.add(parsed)
    await gate.passed()
    const isGone = new AbortController()
    response.once('close', () => isGone.abort())
    const pause = (ms = 0) => (ms > 0 ? wait(ms, undefined, { signal: isGone.signal }) : undefined)

    const refusal = requestFault(active)
    await pause(active.delayMs)
    await pause(refusal?.afterMs)
    const answer = refusal && !active.reset ? answerOfRefusal(refusal, parsed) : await answerTo(parsed, active)
    if (answer === 'reset') return void request.socket.resetAndDestroy()
    const headers = { 'content-type': 'application/json', ...answer.headers, ...active.headers }
    response.writeHead(answer.status, headers).end(answer.text)
  }

  async function answerTo(parsed: RpcCall | RpcCall[], active: Faults): Promise<HttpAnswer> {
    if (active.reset) return 'reset'
    if (active.status) return { status: active.status, text: `status ${active.status}` }
    if (active.body) return { status: 200, text: active.body }
    const answer = await answerFor(parsed, active, targetUrl, await headOf(active))
    if (answer === 'reset' || !active.truncate) return answer
    return { ...answer, text: answer.text.slice(0, answer.text.length >> 1) }
  }

  /** The newest block of the server that answers; `undefined` where there is only one. */
  async function headOf(active: Faults): Promise<number | undefined> {
    if (!active.replicas) return undefined
    if (active.replicas !== replicas) heads = createHeadLog()
    replicas = active.replicas
    const newest = Number(await resultOf(targetUrl, 'eth_blockNumber'))
    // Requests that came at one time may be answered in any order: none may see less than one before it.
    const now = performance.now()
    heads.saw(newest, now)
    return heads.seenBefore(random.pick(replicas), now)
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
    set: (more) => faults.set(more),
    clear() {
      faults.clear()
      gate.open()
    },
    next: (times, more) => faults.next(times, more),
    hold: () => gate.close(),
    pointTo(other) {
      targetUrl = other
    },
    down: close,
    up: listen,
    arrived: (wanted) => counts.arrived(wanted),
    stats: () => structuredClone(counts.stats),
    resetStats() {
      counts.stats = emptyStats()
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
