import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createTxFromRLP, isEOACode7702Tx, type TypedTransaction } from '@ethereumjs/tx'
import { eoaCode7702RecoverAuthority, hexToBytes } from '@ethereumjs/util'
import { bigintFromBytes, hexFromBytes } from '../../src/bytes.ts'
import type { Evm } from '../../src/engine.ts'
import type { Authorization, BlockContext, Done, Fork, Hex, Message } from '../../src/port.ts'
import type { TracedRun, Tracer } from '../../src/tracers/tracer.ts'
import { MemoryState } from '../conformance/memoryState.ts'
import type { StateAccount } from '../conformance/trie.ts'

type Text = string | number

/** A vector of go-ethereum's tracetest: a transaction, the state before it, and what a tracer makes of it. */
export type TraceVector = {
  genesis: {
    alloc: Record<string, { balance?: Text; nonce?: Text; code?: Hex; storage?: Record<Hex, Hex> }>
    config: Record<string, Text | undefined>
    excessBlobGas?: Text
    blobGasUsed?: Text
  }
  context: Record<string, Text | undefined>
  /** The signed transaction. */
  input: Hex
  tracerConfig?: Record<string, unknown>
  result: unknown
}

const schedule: readonly (readonly [rule: string, fork: Fork])[] = [
  ['berlinBlock', 'berlin'],
  ['londonBlock', 'london'],
  ['mergeNetsplitBlock', 'paris'],
  ['shanghaiTime', 'shanghai'],
  ['cancunTime', 'cancun'],
  ['pragueTime', 'prague'],
  ['osakaTime', 'osaka'],
]

const number = (text: Text | undefined) => BigInt(text ?? 0)

/** The fork of the vector's block; `undefined` before Berlin. */
export function forkOf({ genesis: { config }, context }: TraceVector): Fork | undefined {
  const active = schedule.filter(([rule]) => {
    const at = config[rule]
    return at !== undefined && number(rule.endsWith('Time') ? context.timestamp : context.number) >= number(at)
  })
  return active.at(-1)?.[1]
}

function stateOf({ genesis: { alloc } }: TraceVector): Map<string, StateAccount> {
  const accounts = Object.entries(alloc).map(([address, { balance, nonce, code = '0x', storage = {} }]) => {
    const slots = Object.entries(storage).map(([key, value]) => [key, BigInt(value)] as const)
    const account = {
      balance: number(balance),
      nonce: number(nonce),
      code: hexToBytes(code),
      storage: new Map(slots.filter(([, value]) => value !== 0n)),
    }
    return [address.toLowerCase(), account] as const
  })
  return new Map(accounts)
}

function blobBaseFee(excess: bigint): bigint {
  let [sum, term] = [0n, 3338477n]
  for (let i = 1n; term > 0n; i++) {
    sum += term
    term = (term * excess) / (3338477n * i)
  }
  return sum / 3338477n
}

function blockOf(vector: TraceVector, fork: Fork): BlockContext {
  const { context, genesis } = vector
  const target = 3n * 131072n
  const excess = number(genesis.excessBlobGas) + number(genesis.blobGasUsed)
  return {
    chainId: number(genesis.config.chainId),
    fork,
    number: number(context.number),
    timestamp: number(context.timestamp),
    coinbase: String(context.miner).toLowerCase() as Hex,
    gasLimit: number(context.gasLimit),
    baseFee: fork === 'berlin' ? 0n : number(context.baseFeePerGas),
    prevRandao: number(context.difficulty),
    blobBaseFee: blobBaseFee(excess > target ? excess - target : 0n),
  }
}

function authorizationsOf(tx: TypedTransaction): Authorization[] | undefined {
  if (!isEOACode7702Tx(tx)) return undefined
  return tx.authorizationList.map((item) => {
    const [chainId, address, nonce] = item
    return {
      chainId: bigintFromBytes(chainId),
      address: hexFromBytes(address),
      nonce: bigintFromBytes(nonce),
      authority: eoaCode7702RecoverAuthority(item).toString() as Hex,
    }
  })
}

function messageOf({ genesis, input }: TraceVector, { baseFee }: BlockContext): Message {
  const common = createCustomCommon({ chainId: Number(genesis.config.chainId) }, Mainnet, {
    hardfork: Hardfork.Osaka,
    // Must be there for any blob transaction, and is never called for one that carries no blobs.
    customCrypto: { kzg: {} as never },
  })
  const tx = createTxFromRLP(hexToBytes(input.startsWith('0x') ? input : `0x${input}`), {
    common,
    allowUnlimitedInitCodeSize: true,
  })
  const fields = tx.toJSON()
  const optional = (value: Hex | undefined) => (value === undefined ? undefined : BigInt(value))
  const maxFeePerGas = optional(fields.maxFeePerGas)
  const maxPriorityFeePerGas = optional(fields.maxPriorityFeePerGas)
  const bid = baseFee + (maxPriorityFeePerGas ?? 0n)
  return {
    from: tx.getSenderAddress().toString(),
    to: tx.to?.toString(),
    value: tx.value,
    data: tx.data,
    gasLimit: tx.gasLimit,
    gasPrice: maxFeePerGas === undefined ? BigInt(fields.gasPrice ?? 0) : bid < maxFeePerGas ? bid : maxFeePerGas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    nonce: tx.nonce,
    accessList: fields.accessList as Message['accessList'],
    maxFeePerBlobGas: optional(fields.maxFeePerBlobGas),
    blobVersionedHashes: fields.blobVersionedHashes as Hex[] | undefined,
    authorizationList: authorizationsOf(tx),
  }
}

/** Runs a vector by the rules of `fork` and traces it. */
export async function runTraceVector(evm: Evm, vector: TraceVector, fork: Fork, tracer: Tracer): Promise<unknown> {
  const block = blockOf(vector, fork)
  const message = messageOf(vector, block)
  const view = new MemoryState(stateOf(vector))
  const run = (options: Pick<TracedRun, never> = {}): Done => {
    const result = evm.run(message, block, view, { kind: 'transaction', ...options })
    if (result.type !== 'done') throw new Error(`The transaction did not run: ${JSON.stringify(result, String)}`)
    return result
  }
  const traced: TracedRun = {
    message,
    block,
    view,
    result: run(),
    replay: async (options) => {
      run(options)
    },
  }
  return tracer(traced)
}
