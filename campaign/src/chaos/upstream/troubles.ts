import { gzipSync } from 'node:zlib'
import type { Random } from '@understudy/testkit'
import {
  type Anvil,
  behaviours,
  type FaultProxy,
  type Faults,
  mixFaults,
  providers,
  type RpcCall,
  startAnvil,
} from '@understudy/testkit'
import { quantity } from '../kill/rpc.ts'
import type { HostName } from './hostName.ts'
import type { Wire } from './wire.ts'

/** The live chain, and everything between it and the network. */
export type UpstreamPath = {
  anvil: Anvil
  proxy: FaultProxy
  wire: Wire
  hostName: HostName | undefined
  random: Random
  restart(): Promise<void>
}

/** Starts a fault; returns a function that ends it. */
export type Trouble = (path: UpstreamPath) => Promise<() => unknown> | (() => unknown)

const fault =
  (faults: (path: UpstreamPath) => Faults): Trouble =>
  (path) => {
    path.proxy.set(faults(path))
    return () => path.proxy.clear()
  }

/** Replaces the answer for the newest block; passes everything else on. */
async function withLatest({ anvil, proxy }: UpstreamPath, distance: number): Promise<() => void> {
  const head = Number(await anvil.rpc('eth_blockNumber'))
  const block = await anvil.rpc('eth_getBlockByNumber', [quantity(Math.max(1, head - distance)), false])
  const isLatest = ({ method, params }: RpcCall) => method === 'eth_getBlockByNumber' && params?.[0] === 'latest'
  proxy.set({ answer: (call) => (isLatest(call) ? { result: block } : undefined) })
  return () => proxy.clear()
}

const answerOf = (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`

/** Many short streams one after the other: one of this length takes seconds to make, in which nothing else runs here. */
function makeBomb(): Buffer {
  const [start = '', end = ''] = answerOf('" "').split(' ')
  const million = gzipSync('0'.repeat(1e6))
  return Buffer.concat([gzipSync(start), ...Array.from({ length: 400 }, () => million), gzipSync(end)])
}
const bomb = makeBomb()

const nonsense = [null, {}, [], 'what?', '0x', '0xzz', 12, true, `0x${'f'.repeat(100)}`]

export const troubles: Record<string, Trouble> = {
  delay: fault(({ random }) => ({ delayMs: 200 + random.below(1_500) })),
  refused: fault(({ random }) => ({ status: 429, headers: { 'retry-after': String(random.below(3)) } })),
  unavailable: fault(({ random }) => ({ status: random.pick([500, 502, 503, 504]) })),
  truncated: fault(() => ({ truncate: true })),
  invalidJson: fault(() => ({ status: 200 })),
  nonsense: fault(({ random }) => ({
    answer: ({ method }) => (/^eth_(get|call)/.test(method) ? { result: random.pick(nonsense) } : undefined),
  })),
  errors: fault(({ random }) => ({
    answer: () => ({ error: { code: random.pick([-32000, -32603, -32005, -32601, 3]), message: 'something broke' } }),
  })),
  reset: fault(() => ({ reset: true })),
  /** What endpoints are like, each alone, several at one time, and as a provider has them. */
  ...Object.fromEntries(Object.entries(behaviours).map(([name, draw]) => [name, fault(({ random }) => draw(random))])),
  mixed: fault(({ random }) => mixFaults(random)),
  provider: fault(({ random }) => random.pick<Faults>(Object.values(providers))),
  otherChain: (path) => {
    path.proxy.set({ answer: ({ method }) => (method === 'eth_chainId' ? { result: '0x2' } : undefined) })
    path.proxy.next(4, { reset: true })
    path.wire.cut()
    return () => path.proxy.clear()
  },
  stalled: (path) => withLatest(path, 0),
  backwards: (path) => withLatest(path, 1 + path.random.below(5)),
  async reorganised({ anvil, random }) {
    await anvil.rpc('anvil_reorg', [1 + random.below(4), []])
    return () => {}
  },
  async rolledBack({ anvil, random }) {
    await anvil.rpc('anvil_rollback', [1 + random.below(3)])
    return () => {}
  },
  down: async ({ proxy, wire }) => {
    await proxy.down()
    wire.cut()
    return () => proxy.up()
  },
  /** A small answer that decompresses to half a gigabyte. */
  gzipBomb: fault(() => ({ body: bomb, headers: { 'content-encoding': 'gzip' } })),
  deepNesting: fault(() => ({ body: Buffer.from(answerOf('['.repeat(1e6) + ']'.repeat(1e6))) })),
  endlessArray: fault(() => ({ body: Buffer.from(answerOf(`[${'0,'.repeat(10e6)}0]`)) })),
  /** Another chain with the same id replaces it. Its state must not be mixed in. */
  async otherHistory({ anvil, proxy, wire }) {
    const other = await startAnvil({ args: ['--timestamp', '1500000000'] })
    for (let blocks = 0; blocks < 3; blocks++) await other.rpc('anvil_mine', [quantity(200)])
    await proxy.down()
    wire.cut()
    proxy.pointTo(other.url)
    await proxy.up()
    return async () => {
      proxy.pointTo(anvil.url)
      wire.cut()
      await other.stop()
    }
  },
  /** Both are killed, and only the network is restarted. */
  async startedAlone({ proxy, wire, restart }) {
    await proxy.down()
    wire.cut()
    await restart()
    return () => proxy.up()
  },
  trickle: ({ wire }) => {
    wire.mode = 'trickle'
    return () => {
      wire.mode = 'pass'
    }
  },
  /** The other side is gone without closing: connections look open. */
  halfOpen: ({ wire }) => {
    wire.mode = 'silent'
    return () => {
      wire.mode = 'pass'
    }
  },
  nameNotFound: ({ hostName, wire }) => {
    hostName?.resolves(false)
    wire.cut()
    return () => hostName?.resolves(true)
  },
}
