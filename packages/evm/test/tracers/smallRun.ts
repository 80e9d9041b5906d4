import { createEvm } from '../../src/engine.ts'
import type { Address, BlockContext, Done, Hex, Message, RunOptions } from '../../src/port.ts'
import type { Tracer } from '../../src/tracers/tracer.ts'
import { createTracer } from '../../src/tracers/tracers.ts'
import { MemoryState } from '../conformance/memoryState.ts'

export const addressOf = (byte: number): Address => `0x${byte.toString(16).padStart(2, '0').repeat(20)}`

export const sender = addressOf(0x5e)

const block: BlockContext = {
  chainId: 1n,
  fork: 'prague',
  number: 1n,
  timestamp: 1n,
  coinbase: addressOf(0xcb),
  gasLimit: 30_000_000n,
  baseFee: 0n,
  prevRandao: 0n,
  blobBaseFee: 0n,
}

const evm = createEvm()

export type SmallRun = {
  /** Code by address. */
  codes: Record<Address, Hex>
  to?: Address | undefined
  data?: Hex
  value?: bigint
  /** 500 000 by default. */
  gas?: bigint
  storage?: Record<Address, Record<Hex, bigint>>
  authorizations?: { authority: Address; target: Address }[]
}

/** Runs a message of the sender to a contract and returns what a tracer shows. */
export async function traceSmall(run: SmallRun, tracer: string, options?: Record<string, unknown>): Promise<unknown> {
  const make = createTracer(tracer, options)
  if (!make) throw new Error(`There is no ${tracer}`)
  return traceSmallWith(run, make)
}

export async function traceSmallWith<T>(run: SmallRun, tracer: Tracer<T>): Promise<T> {
  const bytes = (hex: Hex) => new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
  const none = { nonce: 0n, code: new Uint8Array(0), storage: new Map<string, bigint>() }
  const contracts = Object.entries(run.codes).map(([address, code]) => {
    const storage = new Map(Object.entries(run.storage?.[address as Address] ?? {}))
    return [address, { balance: 0n, nonce: 0n, code: bytes(code as Hex), storage }] as const
  })
  const view = new MemoryState(new Map([[sender, { ...none, balance: 10n ** 18n }], ...contracts]))
  const message: Message = {
    from: sender,
    to: run.to ?? (Object.keys(run.codes)[0] as Address),
    value: run.value ?? 0n,
    data: bytes(run.data ?? '0x'),
    gasLimit: run.gas ?? 500_000n,
    gasPrice: 0n,
    authorizationList: run.authorizations?.map(({ authority, target }) => ({
      chainId: 1n,
      address: target,
      nonce: authority === sender ? 1n : 0n,
      authority,
    })),
  }
  const go = (more: Partial<RunOptions> = {}): Done => {
    const result = evm.run(message, block, view, { kind: 'transaction', ...more })
    if (result.type !== 'done') throw new Error(`It ended as ${result.type}`)
    return result
  }
  return tracer({ message, block, view, result: go(), replay: async (more) => void go(more) })
}

/** Code that calls an address with all gas and no data. */
export const callTo = (address: Address) => `6000600060006000600073${address.slice(2)}5af150`
/** Code that logs nothing. */
export const log = '60006000a0'
