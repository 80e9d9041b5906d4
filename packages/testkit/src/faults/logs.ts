import { type CallRefusal, inWords, quantity, type RpcAnswer, type RpcCall, refusing, type Words } from './calls.ts'
import type { View } from './target.ts'

/** Limits of eth_getLogs. */
export type LogsFaults = {
  /** Blocks that a range may have. */
  blocks?: number
  /** Logs that an answer may have. */
  rows?: number
  tooWide?: Words<Asked>
  tooMany?: Words<Asked>
}

/** The range that was asked for, the limit that it breaks, and a range from its start that works. */
type Asked = { from: number; to: number; limit: number; until: number }

const size = ({ from, to }: Asked) => to - from + 1
const range = ({ from, until }: Asked) => `${quantity(from)}, ${quantity(until)}`

/** Words for a range of too many blocks. */
export const wideRefusals = {
  alchemy: (asked) =>
    refusing(
      -32600,
      `You can make eth_getLogs requests with up to a ${asked.limit} block range. Based on your parameters, this block range should work: [${range(asked)}]`,
      400,
    ),
  alchemyMaximum: (asked) =>
    refusing(-32000, `block range too large (${size(asked)}), maximum allowed is ${asked.limit} blocks`),
  infura: (asked) => refusing(-32602, `range ${size(asked)} exceeds limit of ${asked.limit}`),
  quickNode: ({ limit }) => refusing(-32614, `eth_getLogs is limited to a ${grouped(limit)} range`, 413),
  ankr: refusing(-32600, 'block range is too wide'),
  distance: ({ limit }) => refusing(-32000, `maximum [from, to] blocks distance: ${limit}`),
  drpc: ({ limit }) => refusing(35, `ranges over ${limit} blocks are not supported on freetier`),
  oneRpc: ({ limit }) => refusing(-32000, `eth_getLogs is limited to a ${limit} blocks range`),
  publicnode: ({ limit }) => refusing(-32000, `exceed maximum block range: ${limit}`),
  blastPlan: (asked) => refusing(-32000, `exceeds the range allowed for your plan (${size(asked)} > ${asked.limit})`),
  blockpi: ({ limit }) =>
    refusing(
      -32602,
      `eth_getLogs is limited to ${limit} block range. Please check the parameter requirements at https://docs.blockpi.io/documentations/api-reference`,
    ),
  chainstack: refusing(
    -32602,
    'Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits#evm-range-limits',
  ),
  cloudflare: ({ limit }) => refusing(-32000, `Max range: ${limit}`),
  thirdweb: ({ limit }) => refusing(-32005, `Maximum allowed number of requested blocks is ${limit}`),
  coinbase: ({ limit }) => refusing(-32005, `please limit the query to at most ${limit} blocks`),
  merkle: refusing(-32603, 'eth_getLogs range is too large, max is 1k blocks'),
  ronin: (asked) => refusing(-32000, `requested block range ${size(asked)} exceeds the limit of ${asked.limit}`),
  tatum: ({ limit }) => refusing(-32000, `Requested range is over limit of ${limit}`),
  hyperEvm: ({ limit }) => refusing(-32000, `query exceeds max block range ${limit}`),
  avalanche: ({ from, to, limit }) =>
    refusing(-32000, `requested too many blocks from ${from} to ${to}, maximum is set to ${limit}`),
  besu: refusing(-32005, 'Requested range exceeds maximum RPC range limit'),
  proxyd: refusing(-32000, 'block range too large'),
  /** Base's: not even that it is the range. */
  noBackend: refusing(-32011, 'no backend is currently healthy to serve traffic', 503),
  morph: (asked) =>
    refusing(
      -32000,
      `block range is larger than max block range, block range = ${size(asked)}, max block range = ${asked.limit}`,
    ),
  moonbeam: ({ limit }) => refusing(-32603, `block range is too wide (maximum ${limit})`),
  harmony: ({ limit }) => refusing(-32000, `query must be smaller than size ${limit}`),
  aurora: ({ limit }) => refusing(-32005, `up to a ${limit} block range`),
  somnia: ({ limit }) => refusing(-32000, `block range exceeds ${limit}`),
  iota: refusing(-32000, 'too many blocks in filter range'),
  candle: refusing(-32600, 'block range too high'),
} as const satisfies Record<string, Words<Asked>>

/** Words for too many logs. */
export const manyRefusals = {
  infura: ({ limit }) => refusing(-32005, `query returned more than ${limit} results`),
  reth: ({ from, until, limit }) =>
    refusing(-32602, `query exceeds max results ${limit}, retry with the range ${from}-${until}`),
  ankr: refusing(-32000, 'query exceeds max results'),
  zkSync: (asked) =>
    refusing(-32602, `Query returned more than ${asked.limit} results. Try with this block range [${range(asked)}].`),
  arbitrum: ({ limit }) => refusing(-32000, `logs matched by query exceeds limit of ${limit}`),
  proxyd: refusing(-32020, 'backend response too large', 500),
  size: { error: { code: -32008, message: 'Response is too big', data: 'Exceeded max limit of 1048576' } },
  bytes: refusing(-32000, 'response size should not greater than 10000000 bytes'),
} as const satisfies Record<string, Words<Asked>>

type Filter = { blockHash?: string; fromBlock?: unknown; toBlock?: unknown }
type Log = { blockNumber: string }

/** The refusal of a range that is too wide. */
export async function refusalOfRange(call: RpcCall, limits: LogsFaults, view: View): Promise<CallRefusal | undefined> {
  const { blocks, tooWide = wideRefusals.distance } = limits
  const range = blocks === undefined ? undefined : await rangeOf(call, view)
  if (blocks === undefined || !range || range.to - range.from + 1 <= blocks) return undefined
  return inWords(tooWide, { ...range, limit: blocks, until: range.from + blocks - 1 })
}

/** The answer, or its refusal if it has too many logs. */
export async function withinRows(
  call: RpcCall,
  { rows, tooMany = manyRefusals.infura }: LogsFaults,
  view: View,
  answer: RpcAnswer,
): Promise<RpcAnswer> {
  if (rows === undefined || !('result' in answer) || !Array.isArray(answer.result)) return answer
  if (answer.result.length <= rows) return answer
  const { from, to } = (await rangeOf(call, view)) ?? { from: 0, to: 0 }
  const beyond = Number((answer.result[rows] as Log).blockNumber)
  return inWords(tooMany, { from, to, limit: rows, until: Math.max(from, beyond - 1) })
}

/** The range of blocks that a filter names; `undefined` if it names one block by its hash. */
async function rangeOf({ params }: RpcCall, view: View): Promise<{ from: number; to: number } | undefined> {
  const { blockHash, fromBlock, toBlock } = (params?.[0] ?? {}) as Filter
  if (blockHash !== undefined) return undefined
  const [from, to] = [await view.numberOf(fromBlock), await view.numberOf(toBlock)]
  return from === undefined || to === undefined ? undefined : { from, to }
}

const grouped = (value: number) => value.toLocaleString('en-US')
