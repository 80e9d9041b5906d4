import { bytesFromHex } from '../src/bytes.ts'
import { createEvm } from '../src/engine.ts'
import type { Address, BlockContext, Done, Fork, Hex, Message, Rejected, Step } from '../src/port.ts'
import { MemoryState } from './conformance/memoryState.ts'
import type { StateAccount } from './conformance/trie.ts'

export const sender: Address = `0x${'5e'.repeat(20)}`
export const contract: Address = `0x${'c0'.repeat(20)}`
export const absent: Address = `0x${'ab'.repeat(20)}`
export const newAccount = 120n * 1530n
export const newSlot = 64n * 1530n

export const evm = createEvm()

export function blockOf(fork: Fork): BlockContext {
  return {
    chainId: 1n,
    fork,
    number: 1000n,
    timestamp: 1_700_000_000n,
    coinbase: `0x${'cb'.repeat(20)}`,
    gasLimit: 60_000_000n,
    baseFee: 0n,
    prevRandao: 0n,
    blobBaseFee: 0n,
    slotNumber: 4242n,
  }
}

export const account = (code: Hex = '0x', balance = 0n): StateAccount => ({
  balance,
  nonce: code === '0x' ? 0n : 1n,
  code: bytesFromHex(code),
  storage: new Map(),
})

export type Sent = Partial<Omit<Message, 'to'>> & {
  to?: Address | 'create'
  /** The code and balance of `contract`, and its slots by their last byte. */
  code?: Hex
  balance?: bigint
  slots?: Record<number, bigint>
  others?: Record<Address, StateAccount>
  fork?: Fork
  block?: Partial<BlockContext>
}

/** Runs a transaction of `sender`, to `contract` by default. */
export function attempt(sent: Sent, steps?: Step[]): Done | Rejected {
  const { code, balance = 0n, slots = {}, others = {}, fork = 'amsterdam', block, to = contract, ...message } = sent
  const state = new MemoryState(new Map([[sender, account('0x', 10n ** 24n)], ...Object.entries(others)]))
  if (code !== undefined) {
    const storage = Object.entries(slots).map(([key, value]) => [slotKey(Number(key)), value] as const)
    state.accounts.set(contract, { ...account(code, balance), storage: new Map(storage) })
  }
  const whole: Message = {
    from: sender,
    value: 0n,
    data: new Uint8Array(),
    gasLimit: 1_000_000n,
    gasPrice: 0n,
    ...message,
    to: to === 'create' ? undefined : to,
  }
  const onStep = steps && { onStep: (step: Step) => steps.push(step) }
  const result = evm.run(whole, { ...blockOf(fork), ...block }, state, { kind: 'transaction', ...onStep })
  if (result.type !== 'done' && result.type !== 'rejected') throw new Error(result.type)
  return result
}

export function run(sent: Sent, steps?: Step[]): Done {
  const result = attempt(sent, steps)
  if (result.type !== 'done') throw new Error(JSON.stringify(result, (_, x) => (typeof x === 'bigint' ? `${x}` : x)))
  return result
}

export const slotKey = (key: number): Hex => `0x${key.toString(16).padStart(64, '0')}`

/** The stack when the code ends, top first; or why it failed. */
export function stackAfter(code: Hex): bigint[] | Done['halt'] {
  const steps: Step[] = []
  const result = run({ code: `${code}00` }, steps)
  return result.status === 'success' ? (steps.at(-1)?.stack ?? []).toReversed() : result.halt
}
