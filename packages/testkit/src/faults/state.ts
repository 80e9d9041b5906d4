import { atBlock, inWords, quantity, type RpcCall, readsState, refusing, stateBlock, type Words } from './calls.ts'
import type { View } from './target.ts'

export type StateFaults = {
  /** State of blocks below this number is gone. */
  prunedBelow?: number
  /** Only that many of the newest blocks have state. */
  newestStates?: number
  /** State is read by the tag `latest` only; even the newest block's number is refused. */
  stateByTagOnly?: boolean
  /** State of any block is that of the newest one, and nothing says so. */
  stateIsLatest?: boolean
  /** What is answered where state is gone. */
  noState?: Words<NoState>
  /** State is not read by the hash of a block (EIP-1898), only by its number; these are the words. */
  refuseBlockHashes?: boolean | Words<string>
}

/** Number of the block that was asked for, of the newest, and of the first that has state. */
type NoState = { block: number; head: number; first: number }

/** Words for state that a server does not have. */
export const stateRefusals = {
  geth: refusing(-32000, `missing trie node ${'ab'.repeat(32)} (path ) state 0x${'cd'.repeat(32)} is not available`),
  gethPath: refusing(-32000, 'historical state not available in path scheme yet'),
  gethState: refusing(-32000, `state 0x${'cd'.repeat(32)} is not available`),
  required: refusing(-32000, 'required historical state unavailable (reexec=128)'),
  erigon: ({ block, first }) =>
    refusing(
      -32000,
      `old data not available due to pruning: requested block ${block}, history is available from block ${first}`,
    ),
  reth: refusing(4444, 'pruned history unavailable'),
  rethProof: refusing(-32602, 'distance to target block exceeds maximum proof window'),
  nethermind: ({ block }) => refusing(-32002, `No state available for block ${block}`),
  nethermindPruned: refusing(4444, 'Pruned history unavailable'),
  besu: refusing(-32000, 'World state unavailable'),
  openEthereum: refusing(
    -32000,
    'This request is not supported because your node is running with state pruning. Run with --pruning=archive.',
  ),
  infura: refusing(-32002, 'project ID does not have access to archive state', 403),
  chainstack: refusing(-32000, 'Access to archival, debug, or trace data is not included in your current plan'),
  moonbeam: refusing(-32000, `State already discarded for ${'0x'}${'ab'.repeat(32)}`),
  zkSync: ({ first }) => refusing(-32602, `Block with such an ID is pruned; the first retained block is ${first}`),
  sei: ({ block, first }) =>
    refusing(-32000, `height is not available (requested height: ${block}, base height: ${first})`),
  ioTex: ({ head, first }) =>
    refusing(-32000, `history is pruned, only supported for latest ${head - first + 1} blocks`),
  flow: ({ first }) => refusing(-32000, `failed to get state, with: invalid height not in available range: ${first}`),
} as const satisfies Record<string, Words<NoState>>

/** Words for a block's hash where a number is expected. */
export const hashRefusals = {
  geth: refusing(-32602, 'invalid argument 1: hex string without 0x prefix'),
  gethServer: refusing(-32000, 'invalid argument 1: hex string without 0x prefix'),
  bits: refusing(-32602, 'invalid argument 1: hex number > 64 bits'),
  historical: refusing(-32000, 'historical state is not available'),
  unloadable: refusing(-1, 'unable to load historical state'),
  archivePlan: refusing(-32000, 'archive data needs a paid plan'),
  archiveNode: refusing(-32002, 'archive data needs an archive node', 403),
  parameters: refusing(-32602, 'invalid parameters'),
  params: refusing(-32602, 'Invalid Params'),
  besu: refusing(-32602, 'Invalid block hash params'),
  axon: (hash) => refusing(-32602, `Invalid block hash: ${hash.slice(2)} at line 2 column 91`),
  map: refusing(-32602, "invalid type: map, expected BlockNumber, 'latest', or 'earliest'"),
  unsupported: refusing(-32000, 'block hash is not supported'),
  internal: refusing(-32603, 'Internal error'),
} as const satisfies Record<string, Words<string>>

/** The refusal of a read of state, or the read as it is passed on: `seen`, which has a number where `call` had a tag. */
export async function faultOfState(seen: RpcCall, call: RpcCall, faults: StateFaults, view: View) {
  if (!readsState(call)) return seen
  const block = stateBlock(call)
  const { refuseBlockHashes, noState = stateRefusals.geth } = faults
  const hash = (block as { blockHash?: unknown }).blockHash
  if (refuseBlockHashes && typeof hash === 'string')
    return inWords(refuseBlockHashes === true ? hashRefusals.geth : refuseBlockHashes, hash)
  if (faults.stateIsLatest) return atBlock(call, quantity(await view.head()))

  const { prunedBelow, newestStates, stateByTagOnly } = faults
  if (prunedBelow === undefined && newestStates === undefined && !stateByTagOnly) return seen
  if (block === 'latest' || block === 'pending') return seen
  const [number, head] = [await view.numberOf(block), await view.head()]
  if (number === undefined) return seen
  const first = stateByTagOnly ? head + 1 : Math.max(prunedBelow ?? 0, newestStates ? head - newestStates + 1 : 0)
  return number < first || stateByTagOnly ? inWords(noState, { block: number, head, first }) : seen
}
