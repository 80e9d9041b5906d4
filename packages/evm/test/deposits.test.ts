import { describe, expect, it } from 'vitest'
import { createEvm } from '../src/engine.ts'
import { keccak256Hex } from '../src/keccak.ts'
import type { Account, Address, BlockContext, Done, Hex, Message, StateView, Surcharge } from '../src/port.ts'

const from: Address = `0x${'f0'.repeat(20)}`
const to: Address = `0x${'a0'.repeat(20)}`
const contract: Address = `0x${'c0'.repeat(20)}`
const coinbase: Address = `0x${'cb'.repeat(20)}`
const block: BlockContext = {
  chainId: 10n,
  fork: 'prague',
  number: 1n,
  timestamp: 1n,
  coinbase,
  gasLimit: 30_000_000n,
  baseFee: 1000n,
  prevRandao: 0n,
  blobBaseFee: 1n,
  surcharge: (): Surcharge => ({ upfront: 10n ** 18n, final: () => 10n ** 18n }),
}
const empty = keccak256Hex(new Uint8Array())

function viewOf(sender: Partial<Account>, code: Hex = '0x'): StateView {
  const bytes = Buffer.from(code.slice(2), 'hex')
  const accounts: Record<Address, Partial<Account>> = { [from]: sender, [contract]: { codeHash: keccak256Hex(bytes) } }
  return {
    identity: {},
    account: (address) => ({ balance: 0n, nonce: 0n, codeHash: empty, ...accounts[address] }),
    code: () => bytes,
    storage: () => 0n,
    blockHash: () => undefined,
  }
}

const deposit = (more: Partial<Message> = {}): Message => ({
  from,
  to,
  value: 5n,
  data: new Uint8Array(),
  gasLimit: 100_000n,
  gasPrice: 0n,
  maxPriorityFeePerGas: 0n,
  encoded: '0x7e',
  mint: 7n,
  ...more,
})
const run = (message: Message, view: StateView = viewOf({ nonce: 3n })) =>
  createEvm().run(message, block, view, { kind: 'transaction' })
const done = (message: Message, view?: StateView): Done => {
  const result = run(message, view)
  if (result.type !== 'done') throw new Error(JSON.stringify(result, (_, value) => String(value)))
  return result
}

describe('a deposit', () => {
  it('gives its sender the mint, pays for nothing, and uses a nonce', () => {
    const { status, gasUsed, surcharge, diff } = done(deposit())
    expect({ status, gasUsed, surcharge }).toEqual({ status: 'success', gasUsed: 21_000n, surcharge: 0n })
    expect(Object.fromEntries(diff.accounts)).toEqual({ [from]: { balance: 2n, nonce: 4n }, [to]: { balance: 5n } })
  })

  it('of a sender with code runs too', () => {
    expect(done(deposit({ from: contract }), viewOf({}, '0x00')).status).toBe('success')
  })

  it('that reverts keeps the mint and the nonce', () => {
    const { status, gasUsed, diff } = done(deposit({ to: contract }), viewOf({ nonce: 3n }, '0x5f5ffd'))
    expect({ status, gasUsed }).toEqual({ status: 'revert', gasUsed: 21_004n })
    expect(Object.fromEntries(diff.accounts)).toEqual({ [from]: { balance: 7n, nonce: 4n } })
  })

  it.each<[string, Partial<Message>, string]>([
    ['a value that its sender does not have', { value: 8n }, 'insufficient balance'],
    ['too little gas for its data', { data: new Uint8Array(1000).fill(1), gasLimit: 21_100n }, 'out of gas'],
    ['a creation with too long code', { to: undefined, data: new Uint8Array(50_000), value: 0n }, 'out of gas'],
    ['a creation with too high a value', { to: undefined, value: 8n }, 'insufficient balance'],
  ])('with %s fails, with all of its gas, and keeps the mint', (_, more, halt) => {
    const message = deposit(more)
    const result = done(message)
    expect(result).toMatchObject({ status: 'halt', halt, gasUsed: message.gasLimit })
    expect(Object.fromEntries(result.diff.accounts)).toEqual({ [from]: { balance: 7n, nonce: 4n } })
  })

  it.each<[string, Partial<Message>, Partial<Account>]>([
    ['GAS_LIMIT_EXCEEDS_BLOCK', { gasLimit: 30_000_001n }, {}],
    ['NONCE_MAX', {}, { nonce: 2n ** 64n - 1n }],
    ['MINT_TOO_HIGH', { mint: 2n ** 256n - 1n }, { balance: 1n }],
  ])('that no block can have is rejected: %s', (reason, more, sender) => {
    expect(run(deposit(more), viewOf(sender))).toMatchObject({ type: 'rejected', reason })
  })

  it('has the same result as a call, for which nonces and blocks do not matter', () => {
    const result = createEvm().run(deposit(), block, viewOf({ nonce: 3n }), { kind: 'call' })
    expect(result).toMatchObject({ type: 'done', status: 'success', gasUsed: 21_000n })
  })
})
