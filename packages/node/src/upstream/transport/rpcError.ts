import type { Word } from '@understudy/evm'

/** The error object of upstream for one call, with our secrets removed from its message. */
export class UpstreamRpcError extends Error {
  readonly method: string
  readonly code: number
  readonly data: unknown

  constructor(method: string, error: { code: number; message: string; data?: unknown }) {
    super(error.message)
    this.name = 'UpstreamRpcError'
    this.method = method
    this.code = error.code
    this.data = error.data
  }
}

/**
 * What an error of upstream means.
 * - `reverted`: the execution failed.
 * - `no batches`: the batch was refused, or is too large. Smaller ones are sent.
 * - `no state`: it does not keep that state. Another URL is asked.
 * - `too much`: the range or the result of a query is too large.
 * - `slow down`: it is asked again after a pause.
 * - `denied`: it does not serve this key, or no longer. Another URL is asked.
 * - `no method`: it does not serve the method, or not in this plan. Another URL is asked.
 * - `broken`: it is asked again.
 * - `not yet`: one of its nodes has not seen the block yet. It is asked again for a few seconds.
 * - `unclear`: it may be any of these. It is asked again a few times.
 * - `wrong request`: asked again, it would fail the same way.
 */
export type ErrorKind =
  | 'reverted'
  | 'no batches'
  | 'no state'
  | 'too much'
  | 'slow down'
  | 'denied'
  | 'no method'
  | 'broken'
  | 'not yet'
  | 'unclear'
  | 'wrong request'

type Row = {
  kind: ErrorKind
  codes?: readonly number[]
  words?: RegExp
  /** The message has to have these too. */
  otherWords?: RegExp
}

/** Characters of a message that are read. */
const readCharacters = 1_000

/** Providers agree on few codes, so the words decide where the code does not. The first row that fits counts. */
const rows: readonly Row[] = [
  { kind: 'reverted', codes: [3], words: /revert/i },
  {
    kind: 'no batches',
    codes: [31, -32014],
    words: /batch/i,
    otherWords:
      /not (supported|allowed|enabled)|too (large|big|many)|limit|exceed|maximum|disabled|larger|more than|at most/i,
  },
  { kind: 'no batches', words: /(request (body|entity)|payload) too large/i },
  {
    kind: 'no state',
    words:
      /missing trie node|pruned|pruning|historical (state|rpc)|state.{0,99} (is )?not available|world state unavailable|state already discarded|no state (available|found)|distance to target block exceeds|archiv|old data not available|unsupported block number|height is not available|not in available range|only for the .?latest/i,
  },
  { kind: 'broken', codes: [30], words: /time.?d? ?out on the free/i },
  { kind: 'slow down', codes: [429, -32029] },
  {
    kind: 'not yet',
    words:
      /invalid block (range|height)|block is out of range|after last accepted block|height in the future|(beyond|past) (the )?(current )?(head|tip)|not processed yet|exist yet|unfinalized/i,
  },
  {
    kind: 'too much',
    words:
      /^limit exceeded$|range|\d (results|logs|blocks)|response.{0,20}(size|too (big|large))|query (exceeds|must be smaller|timeout)|block limit|log response|too many (blocks|logs|results)|blocks? distance|requested blocks|max results|logs matched/i,
  },
  {
    kind: 'denied',
    codes: [402, -32607],
    words:
      /payment required|(usage|monthly|daily|free).{0,30}(limit|quota|cap)|quota|billing|subscription.{0,40}(expired|required)/i,
  },
  {
    kind: 'slow down',
    codes: [-32005],
    words:
      /rate.?limit|request rate|too many (requests|concurrent)|throughput|compute units|\bcups\b|throttl|requests? (limit|per second)|qps limit|credits limited to|capacity|\bcode: 1015\b/i,
  },
  {
    kind: 'denied',
    codes: [-32606],
    words:
      /unauthori[sz]ed|forbidden|invalid (api|project|access)?.?(key|id|token)|(key|token) is invalid|(api|access).?key.{0,40}(invalid|missing|required|disabled|expired|not allowed|another chain)|must be authenticated|credits|project id|app is inactive|origin not on/i,
  },
  {
    kind: 'no method',
    codes: [-32601, -32612],
    words:
      /method.{0,99} (not (found|available|supported|allowed|enabled|implemented|whitelisted)|does not exist|disabled)|unsupported method|module is disabled|tracers are disabled|backends available for method|not available on (the|your)|upgrade (your|to|from)/i,
  },
  {
    kind: 'not yet',
    words:
      /(header|block|resource|record).{0,99}not (be )?found|unknown (block|header)|could not find block|block.{0,99}(out of range|not available)|cannot find block/i,
  },
  { kind: 'wrong request', codes: [-32602, -32600, -32700] },
  {
    kind: 'broken',
    codes: [-32010, -32011, -32013, -32015],
    words:
      /time.?d? ?out|temporar|try again|overload|busy|unavailable|connection (reset|refused)|bad gateway|no available|upstream|backend|unable to complete|failed to get|sync is still in progress|empty reader set/i,
  },
  { kind: 'unclear', codes: [-32603, -32001, -32002], words: /internal (server )?error|unexpected error/i },
]

export function errorKind({ code, message }: { code: number; message: string }): ErrorKind {
  const text = message.slice(0, readCharacters)
  const row = rows.find(
    ({ codes, words, otherWords }) =>
      codes?.includes(code) || (words?.test(text) && (otherWords === undefined || otherWords.test(text))),
  )
  return row?.kind ?? 'wrong request'
}

/** What upstream answered to a call, for error messages. */
export const describeError = (method: string, { code, message }: { code: number; message: string }) =>
  `${method}: ${message} (code ${code})`

/** The position of the block parameter in methods that read state. */
const blockIndexes: Record<string, number> = {
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

/** The block whose state a call reads, for error messages. */
export function stateBlockOf(method: string, params: readonly unknown[]): string {
  const block = params[blockIndexes[method] ?? 0]
  if (isHash(block)) return block.blockHash
  if (typeof block !== 'string') return 'latest'
  return isQuantity(block) ? BigInt(block).toString() : block
}

/** The hash of the block whose state a call reads, if it is named by hash (EIP-1898). */
export function stateHashOf(method: string, params: readonly unknown[]): Word | undefined {
  const block = params[blockIndexes[method] ?? Number.POSITIVE_INFINITY]
  return isHash(block) ? block.blockHash : undefined
}

/** The number of the block whose state a call reads, if it is named by number. */
export function stateNumberOf(method: string, params: readonly unknown[]): bigint | undefined {
  const block = params[blockIndexes[method] ?? Number.POSITIVE_INFINITY]
  return isQuantity(block) ? BigInt(block) : undefined
}

/** The same parameters with another name of the block. */
export function withStateBlock(method: string, params: readonly unknown[], block: string): readonly unknown[] {
  const blockIndex = blockIndexes[method]
  return params.map((param, index) => (index === blockIndex ? block : param))
}

const isQuantity = (block: unknown): block is string => typeof block === 'string' && /^0x[0-9a-f]{1,16}$/i.test(block)

/** EIP-1898. */
function isHash(block: unknown): block is { blockHash: Word } {
  return typeof block === 'object' && block !== null && 'blockHash' in block && typeof block.blockHash === 'string'
}
