import {
  atBlock,
  inWords,
  quantity,
  type RpcAnswer,
  type RpcCall,
  readsState,
  refusing,
  stateBlock,
  type Words,
  withParam,
} from './calls.ts'
import type { View } from './target.ts'

export type ReplicaFaults = {
  /** Servers behind the address, each by how many milliseconds late it sees a block. One of them answers each request, drawn by the seed. */
  replicas?: readonly number[]
  /** What a server says of state of a block that it has not seen. */
  notYet?: Words<NotYet>
}

/** Number of the block that was asked for, if its hash was not, and of the newest. */
type NotYet = { block: number; head: number }

/** Words for a block that a server has not seen. */
export const notYetRefusals = {
  geth: refusing(-32000, 'header not found'),
  unknownBlock: refusing(-32000, 'unknown block'),
  trieNode: refusing(-32000, `missing trie node ${'ab'.repeat(32)} (path )`),
  alchemy: ({ block }) => refusing(-32000, `Block ${block} not processed yet. Please try again.`, 500),
  height: ({ block }) => refusing(-32603, `invalid block height: ${block}`),
  reth: ({ block }) => refusing(-32001, `block not found: ${quantity(block)}`),
  nethermind: ({ block }) => refusing(-32001, `Could not find block ${block}`),
  besu: refusing(-39001, 'Unknown block'),
  besuNotFound: refusing(-32000, 'Block not found'),
  proxyd: refusing(-32019, 'block is out of range', 400),
  avalanche: ({ block, head }) => refusing(-32000, `requested to block ${block} after last accepted block ${head}`),
  zkSync: refusing(-32602, "Block with such an ID doesn't exist yet"),
  cronos: refusing(
    -32000,
    'rpc error: code = Unknown desc = cannot query with height in the future; please provide a valid height: invalid height',
  ),
  beyondHead: refusing(-32000, 'request beyond head block'),
  headerForHash: refusing(-32000, 'header for hash not found'),
} as const satisfies Record<string, Words<NotYet>>

/** When the chain's blocks were first seen, as far as a client asked. */
export function createHeadLog() {
  let seen: { number: number; at: number }[] = []
  return {
    saw(number: number, now: number): void {
      // A reorganisation may have taken some away.
      seen = seen.filter((block) => block.number <= number)
      // What was there before the first look is seen by every server.
      if (seen.at(-1)?.number !== number) seen.push({ number, at: seen.length === 0 ? Number.NEGATIVE_INFINITY : now })
      if (seen.length > 1_000) seen.splice(0, 500)
    },
    /** The newest block of a server that sees them so much later. */
    seenBefore(lagMs: number, now: number): number {
      const known = seen.filter(({ at }) => at <= now - lagMs).at(-1) ?? seen[0]
      return known?.number ?? 0
    },
  }
}

/** Where the methods that name a block by its number or hash, and read no state, have it; and what they answer if there is none. */
const blockMethods: Record<string, { index: number; none: 'null' | 'error' }> = {
  eth_getBlockByNumber: { index: 0, none: 'null' },
  eth_getBlockByHash: { index: 0, none: 'null' },
  eth_getBlockReceipts: { index: 0, none: 'null' },
  eth_getBlockTransactionCountByNumber: { index: 0, none: 'null' },
  eth_getBlockTransactionCountByHash: { index: 0, none: 'null' },
  eth_getTransactionByBlockNumberAndIndex: { index: 0, none: 'null' },
  eth_getTransactionByBlockHashAndIndex: { index: 0, none: 'null' },
  eth_feeHistory: { index: 1, none: 'error' },
  debug_traceBlockByNumber: { index: 0, none: 'error' },
  debug_traceBlockByHash: { index: 0, none: 'error' },
  trace_block: { index: 0, none: 'error' },
  trace_replayBlockTransactions: { index: 0, none: 'error' },
}

const isNewest = (block: unknown) => block === undefined || block === 'latest' || block === 'pending'

/** A call as a server passes it on that has seen the blocks of `view` only; or its answer. */
export async function asSeen(call: RpcCall, faults: ReplicaFaults, view: View): Promise<RpcCall | RpcAnswer> {
  const head = await view.head()
  if (call.method === 'eth_blockNumber') return { result: quantity(head) }
  if (call.method === 'eth_getLogs') return logsSeen(call, head, faults, view)

  const method = blockMethods[call.method]
  if (!method && !readsState(call)) return call
  const block = method ? call.params?.[method.index] : stateBlock(call)
  if (isNewest(block)) return method ? withParam(call, method.index, quantity(head)) : atBlock(call, quantity(head))
  const number = await view.numberOf(block)
  if (number !== undefined && number <= head) return call
  return method?.none === 'null' ? { result: null } : unseen(number, head, faults)
}

/** The answer without a transaction of a block that the server has not seen. */
export async function withoutUnseen(call: RpcCall, answer: RpcAnswer, view: View): Promise<RpcAnswer> {
  if (!/^eth_getTransaction(Receipt|ByHash)$/.test(call.method) || !('result' in answer)) return answer
  const { blockNumber } = (answer.result ?? {}) as { blockNumber?: string | null }
  return blockNumber && Number(blockNumber) > (await view.head()) ? { result: null } : answer
}

async function logsSeen(call: RpcCall, head: number, faults: ReplicaFaults, view: View): Promise<RpcCall | RpcAnswer> {
  const filter = (call.params?.[0] ?? {}) as { blockHash?: string; fromBlock?: unknown; toBlock?: unknown }
  if (filter.blockHash !== undefined) {
    const number = await view.numberOf(filter.blockHash)
    return number !== undefined && number <= head ? call : unseen(number, head, faults)
  }
  const from = (await view.numberOf(filter.fromBlock)) ?? 0
  if (from > head) return { result: [] }
  const to = Math.min(head, (await view.numberOf(filter.toBlock)) ?? head)
  return withParam(call, 0, { ...filter, fromBlock: quantity(from), toBlock: quantity(to) })
}

function unseen(block: number | undefined, head: number, { notYet = notYetRefusals.geth }: ReplicaFaults): RpcAnswer {
  return inWords(notYet, { block: block ?? head + 1, head })
}
