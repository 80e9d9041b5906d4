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
 * How to handle an error object.
 * - `limited`: slow down and retry.
 * - `transient`: retry.
 * - `doubtful`: retry a few times: a node behind a load balancer may not have the block yet, or the error is final.
 * - `pruned`: upstream no longer has that state.
 * - `unknown method`: upstream does not support the method, or not in this plan.
 * - `final`: a retry would fail the same way.
 */
export type ErrorClass = 'limited' | 'transient' | 'doubtful' | 'pruned' | 'unknown method' | 'final'

const tooMuchData = /more than|range|results|response size|query exceeds|block limit|log response/i
const rateLimit =
  /rate.?limit|too many requests|throughput|compute units|throttl|requests? (limit|per second)|capacity|quota|credits/i
const gone =
  /missing trie node|pruned|historical state|state.{0,99} (is )?not available|state already discarded|no state available|distance to target block exceeds|archive/i
const noMethod =
  /method.{0,99} (not found|does not exist|not (available|supported|allowed|enabled|whitelisted))|unsupported method|not available on (the|your)|upgrade (your|to)/i
const momentary = /time.?d? ?out|temporar|try again|overload|busy|unavailable|connection (reset|refused)|bad gateway/i
const unseenBlock =
  /(header|block).{0,99}not found|unknown block|could not find block|block.{0,99}(out of range|not available)/i

/** Providers agree on few codes, so the message decides where the code does not. */
export function classifyError({ code, message }: { code: number; message: string }): ErrorClass {
  if (code === 3 || /revert/i.test(message)) return 'final'
  if (gone.test(message)) return 'pruned'
  if (code === 429 || code === -32029) return 'limited'
  if (code === -32005) return tooMuchData.test(message) ? 'final' : 'limited'
  if (code === -32601 || noMethod.test(message)) return 'unknown method'
  if (code === -32602 || code === -32600 || code === -32700) return rateLimit.test(message) ? 'limited' : 'final'
  if (tooMuchData.test(message)) return 'final'
  if (rateLimit.test(message)) return 'limited'
  if (momentary.test(message)) return 'transient'
  if (unseenBlock.test(message) || code === -32603 || code === -32001 || code === -32002) return 'doubtful'
  return 'final'
}

/** The position of the block parameter in methods that read state. */
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

/** The block whose state a call reads, for error messages. */
export function stateBlockOf(method: string, params: readonly unknown[]): string {
  const block = params[blockPlaces[method] ?? 0]
  if (isHash(block)) return block.blockHash
  if (typeof block !== 'string') return 'latest'
  return /^0x[0-9a-f]{1,16}$/i.test(block) ? BigInt(block).toString() : block
}

/** Whether a call reads state by block hash: its caller checks whether that block is gone. */
export function namesBlockByHash(method: string, params: readonly unknown[]): boolean {
  return isHash(params[blockPlaces[method] ?? 0])
}

/** EIP-1898. */
function isHash(block: unknown): block is { blockHash: string } {
  return typeof block === 'object' && block !== null && 'blockHash' in block && typeof block.blockHash === 'string'
}
