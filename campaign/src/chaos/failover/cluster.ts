import { type Anvil, type Ended, startAnvil, startUnderstudy, type Understudy } from '@understudy/testkit'
import type { Hex } from 'viem'
import { dropNetwork, type NetworkLocation } from '../../shared/database.ts'
import { quantity, type RpcBlock } from '../kill/rpc.ts'
import { call } from './call.ts'

/** One process of several. */
export type Node = { readonly url: string; signal(name: NodeJS.Signals): void; end(): Promise<Ended> }

type Health = { head: { number: number; hash: Hex }; node: { role: 'sealer' | 'reader'; behind: number } }

/** The time limit for nodes to agree, or for one to change its role. */
const timeoutMs = 20_000

/** Several nodes of one network that forks a live chain of its own. */
export class Cluster {
  nodes: Node[] = []
  readonly #location: NetworkLocation
  readonly #anvil: Anvil
  readonly #seen = new Set<Hex>()
  #audited: RpcBlock | undefined

  private constructor(location: NetworkLocation, anvil: Anvil) {
    this.#location = location
    this.#anvil = anvil
  }

  static async start(location: NetworkLocation, count: number): Promise<Cluster> {
    const cluster = new Cluster(location, await startAnvil({ blockTime: 1 }))
    while (cluster.nodes.length < count) cluster.nodes.push(await cluster.#startNode())
    cluster.#audited = await cluster.#block(cluster.nodes[0] as Node, 'latest')
    return cluster
  }

  async #startNode(): Promise<Node> {
    const { databaseUrl, network } = this.#location
    const location = ['--database-url', databaseUrl, '--network', network]
    const node: Understudy = await startUnderstudy(['--fork-url', this.#anvil.url, ...location])
    return { url: node.url, signal: (name) => void node.process.kill(name), end: () => node.end('SIGKILL') }
  }

  /** The node that seals, when there is one other than `lost`. */
  sealer(lost?: Node): Promise<Node> {
    return this.#until('no node seals', async () => {
      const others = this.nodes.filter((node) => node !== lost)
      const roles = await Promise.all(others.map((node) => health(node).catch(() => undefined)))
      return others.find((_, index) => roles[index]?.node.role === 'sealer')
    })
  }

  /** Replaces a killed node. */
  async replace(lost: Node): Promise<void> {
    await this.#end(lost)
    this.nodes[this.nodes.indexOf(lost)] = await this.#startNode()
  }

  async becomesReader(node: Node): Promise<void> {
    await this.#until('a node that stood still goes on to seal', async () => {
      const found = await health(node).catch(() => undefined)
      return found?.node.role === 'reader' || undefined
    })
  }

  /** Waits until all nodes have the same latest block. */
  async agrees(): Promise<void> {
    await this.#until('the nodes do not agree on the newest block', async () => {
      const all = await Promise.all(this.nodes.map(health))
      return all.every(({ head, node }) => head.hash === all[0]?.head.hash && node.behind === 0) || undefined
    })
  }

  /** Checks new blocks on every node: each follows its parent, and no transaction is in two. */
  async audit(): Promise<number> {
    const first = this.#audited as RpcBlock
    const last = Number((await this.#block(this.nodes[0] as Node, 'latest')).number)
    for (const [index, node] of this.nodes.entries()) {
      let before = first
      for (let number = Number(first.number) + 1; number <= last; number++) {
        const block = await this.#block(node, quantity(number))
        if (block.parentHash !== before.hash) throw new Error(`block ${number} does not stand on block ${number - 1}`)
        for (const hash of index === 0 ? block.transactions : []) {
          if (this.#seen.has(hash)) throw new Error(`transaction ${hash} is in two blocks`)
          this.#seen.add(hash)
        }
        before = block
      }
      this.#audited = before
    }
    return last - Number(first.number)
  }

  /** The unexpected errors that ended nodes logged. */
  readonly failures: string[] = []

  async #end(node: Node): Promise<void> {
    const { stderr } = await node.end()
    this.failures.push(...stderr.split('\n').filter((line) => line.includes('Failed unexpectedly')))
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await this.#end(node)
    await this.#anvil.stop()
    await dropNetwork(this.#location)
  }

  #block = (node: Node, tag: string) => call<RpcBlock>(node.url, 'eth_getBlockByNumber', [tag, false])

  async #until<T>(problem: string, look: () => Promise<T | undefined>): Promise<T> {
    const until = performance.now() + timeoutMs
    for (;;) {
      const found = await look()
      if (found !== undefined) return found
      if (performance.now() > until) throw new Error(problem)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function health(node: Node): Promise<Health> {
  const answer = await fetch(`${node.url}/health`, { signal: AbortSignal.timeout(1_000) })
  return (await answer.json()) as Health
}
