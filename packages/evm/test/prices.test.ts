import { describe, expect, it } from 'vitest'
import { bytesFromHex } from '../src/bytes.ts'
import { requireRules } from '../src/forks.ts'
import { pricesOf } from '../src/gas/forkPrices.ts'
import type { Prices } from '../src/gas/prices.ts'
import { hostedContract } from '../src/hostedContracts.ts'
import type { Address, Authorization, BlockContext, Step } from '../src/port.ts'
import { precompiles } from '../src/precompiles/table.ts'
import { absent, account, contract, run, type Sent, sender } from './amsterdamRun.ts'

type PlainPrices = Omit<Prices, 'precompiles'>
/** A transaction that pays a price so many times; `refund`: whose refund has it instead. */
type Paying = Sent & { times?: number; refund?: true; besides?: Partial<Prices> }

const more = 7
const zeros = (length: number) => new Uint8Array(length)
const others = { [absent]: account('0x', 1n) }
const callOf = (address: Address) => `0x5f5f5f5f600173${address.slice(2)}61fffff100` as const
const returning = (length: number) => bytesFromHex(`0x60${length.toString(16).padStart(2, '0')}5ff3`)
const authorization: Authorization = { chainId: 1n, address: contract, nonce: 0n, authority: absent }
const authorizing: Sent = { authorizationList: [authorization], code: '0x00', others }

const paying: Record<keyof PlainPrices, Paying> = {
  coldSload: { code: '0x5f5400' },
  coldSstore: { code: '0x60015f5500' },
  sstoreSet: { code: '0x60015f5500' },
  sstoreReset: { code: '0x60025f5500', slots: { 0: 1n } },
  refundClear: { code: '0x5f5f5500', slots: { 0: 1n }, refund: true },
  coldAccount: { code: '0x5f3100' },
  // The first SLOAD is of a cold slot.
  warmAccess: { code: '0x5f545f545f5400', times: 2 },
  readCode: { code: '0x5f3b5f5f5f5f3c00', times: 2 },
  callValue: { code: callOf(absent), others, balance: 1n },
  // Who is called does not use it.
  callStipend: { code: callOf(absent), others, balance: 1n, times: -1 },
  newAccount: { code: callOf(absent), balance: 1n },
  selfdestruct: { code: '0x5fff' },
  selfdestructNewAccount: { code: `0x73${absent.slice(2)}ff`, balance: 1n },
  refundSelfdestruct: { code: '0x6000ff', fork: 'london', refund: true },
  transient: { code: '0x5f5c5f5f5d00', times: 2 },
  log: { code: '0x5f5fa000' },
  logTopic: { code: '0x5f5f5f5fa200', times: 2 },
  logByte: { code: '0x60095fa000', times: 9 },
  keccak: { code: '0x5f5f2000' },
  keccakWord: { code: '0x60415f2000', times: 3 },
  exp: { code: '0x5f5f0a00' },
  expByte: { code: '0x6101005f0a00', times: 2 },
  create: { code: '0x5f5f5ff05f5f5f5ff500', times: 2 },
  codeByte: { to: 'create', data: returning(5), times: 5 },
  codeWord: { to: 'create', data: returning(33), times: 2 },
  initcodeWord: { to: 'create', data: zeros(33), times: 2 },
  // Of data, code, another account's code and memory.
  copyWord: { code: '0x60215f5f3760015f5f3960015f5f5f3c60015f5f5e00', times: 5 },
  memoryWord: { code: '0x60405100', times: 3 },
  calldataZeroByte: { code: '0x5f5400', data: zeros(5), times: 5 },
  calldataByte: { code: '0x5f5400', data: zeros(3).fill(1), times: 3 },
  floorToken: { code: '0x00', data: zeros(100).fill(1), times: 400 },
  transaction: { code: '0x00' },
  transactionCreate: { to: 'create' },
  transactionRecipient: { code: '0x00' },
  transactionValue: { code: '0x00', value: 1n },
  accessListAddress: {
    code: '0x00',
    accessList: [absent, sender].map((address) => ({ address, storageKeys: [] })),
    times: 2,
  },
  accessListKey: {
    code: '0x00',
    accessList: [{ address: absent, storageKeys: [1, 2, 3].map((key) => `0x${`0${key}`.repeat(32)}` as const) }],
    times: 3,
  },
  authorization: authorizing,
  // More would be above the limit of refunds.
  refundAuthorization: { ...authorizing, besides: { refundAuthorization: 100 }, refund: true },
  accountWrite: { ...authorizing, fork: 'amsterdam' },
  accountState: { code: callOf(absent), balance: 1n, fork: 'amsterdam' },
  slotState: { code: '0x60015f5500', fork: 'amsterdam' },
  delegationState: { ...authorizing, fork: 'amsterdam' },
  codeByteState: { to: 'create', data: returning(5), fork: 'amsterdam', times: 5 },
}

describe('a price that a block has', () => {
  it.each(Object.entries(paying) as [keyof PlainPrices, Paying][])('%s', (name, asked) => {
    const { times = 1, refund, besides = {}, fork = 'osaka', ...sent } = asked
    const used = (prices: Partial<Prices>, steps?: Step[]) => {
      const { gasUsed, gasRefund, halt } = run({ ...sent, fork, block: { prices } }, steps)
      expect(halt).toBeUndefined()
      return refund ? gasRefund : gasUsed + gasRefund
    }
    const own = { ...pricesOf(fork), ...besides }
    const higher = { ...besides, [name]: own[name] + more }
    const before = used(besides)
    expect(used(higher) - before).toBe(BigInt(more * times))
    // With every operation told of.
    expect(used(higher, []) - before).toBe(BigInt(more * times))
    expect(used(besides)).toBe(before)
  })

  it('is above what 16 bits hold', () => {
    const used = (prices: Partial<Prices>) => run({ code: '0x5f5400', fork: 'osaka', block: { prices } }).gasUsed
    expect(used({ coldSload: 300_000 }) - used({})).toBe(297_900n)
    const logs = (prices: Partial<Prices>) => run({ code: '0x5f5fa000', fork: 'osaka', block: { prices } }).gasUsed
    expect(logs({ log: 300_000 }) - logs({})).toBe(299_625n)
  })

  it('keeps a stipend from writing', () => {
    const write = (prices: Partial<Prices>) =>
      run({ code: '0x60015f5500', slots: { 0: 1n }, gasLimit: 24_005n, fork: 'osaka', block: { prices } }).status
    expect(write({})).toBe('success')
    expect(write({ callStipend: 3_000 })).toBe('halt')
  })
})

/** PIP-88 of Polygon, without its precompiles. */
const polygon: Partial<Prices> = { coldSload: 5460, coldSstore: 2940, sstoreReset: 2060, refundClear: 3960 }

describe("Polygon's storage after PIP-88", () => {
  it.each([
    ['a cold read', '5f54', 5460, 0],
    ['a cold and a warm read', '5f54505f54', 5560, 0],
    ['cold 1→2', '60025f55', 5000, 0],
    ['warm 1→2', '5f545060025f55', 5460 + 2060, 0],
    ['cold 1→1', '60015f55', 3040, 0],
    ['cold 1→0', '5f5f55', 5000, 3960],
    ['cold 1→2→1', '60025f5560015f55', 5100, 1960],
    ['cold 1→0→1', '5f5f5560015f55', 5100, 1960],
    ['cold 0→1', '6001600155', 22_940, 0],
    ['cold 0→1→0', '60016001555f600155', 23_040, 19_900],
  ])('%s', (_, code, gas, refund) => {
    const steps: Step[] = []
    run({ code: `0x${code}00`, slots: { 0: 1n }, fork: 'osaka', block: { prices: polygon } }, steps)
    const accesses = steps.filter(({ name }) => name === 'SLOAD' || name === 'SSTORE')
    expect(accesses.reduce((sum, { cost }) => sum + cost, 0n)).toBe(BigInt(gas))
    expect(steps.at(-1)?.refund).toBe(BigInt(refund))
  })
})

/** Inputs with which precompiles succeed. */
const inputs = new Map<number, Uint8Array>([
  ...[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x100].map((number) => [number, zeros(192)] as const),
  [0x09, zeros(213).fill(12, 3, 4)],
  [0x0b, zeros(256)],
  [0x0c, zeros(320)],
  [0x0d, zeros(512)],
  [0x0e, zeros(576)],
  [0x0f, zeros(384)],
  [0x10, zeros(64)],
  [0x11, zeros(128)],
])
const free: Partial<Prices> = { transaction: 0, calldataZeroByte: 0, calldataByte: 0, floorToken: 0 }
const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

/** What a call of an address costs in a block where all but precompiles is free. */
function callCost(to: Address, data: Uint8Array, block: Partial<BlockContext>): bigint {
  const { gasUsed, halt } = run({
    to,
    data,
    gasLimit: 10_000_000n,
    fork: 'osaka',
    block: { ...block, prices: { ...free, ...block.prices } },
  })
  expect(halt).toBeUndefined()
  return gasUsed
}

describe('the price of a precompile', () => {
  it.each([...inputs])('%i', (number, input) => {
    const to = addressOf(number)
    const builtIn = number === 4 ? 15n + 3n * 6n : (precompiles.get(number)?.gas(input, requireRules('osaka')) ?? 0n)
    const words = BigInt(Math.ceil(input.length / 32))
    const costWith = (price: Prices['precompiles'][Address]) =>
      callCost(to, input, { prices: { precompiles: { [to]: price } } })
    expect(callCost(to, input, {})).toBe(builtIn)
    expect(costWith({ base: 300, perWord: 12 })).toBe(300n + 12n * words)
    expect(costWith({ base: 3000, perWord: 0, perByte: 16 })).toBe(3000n + 16n * BigInt(input.length))
    expect(costWith({ base: 1, perWord: 0, factor: 22 })).toBe(1n + 22n * builtIn)
  })

  it('has a fraction for each word where pairs are more', () => {
    const to = addressOf(0x08)
    const price = { base: 67_500, perWord: 51_000 / 6 + 1 / 6 }
    const cost = (pairs: number) => callCost(to, zeros(192 * pairs), { prices: { precompiles: { [to]: price } } })
    expect([cost(0), cost(1), cost(3)]).toEqual([67_500n, 118_501n, 220_503n])
  })

  it('is that of the address where the chain has it, also when a call moves it', () => {
    const [elsewhere, moved] = [addressOf(0xabcd), addressOf(0xabce)]
    const prices = { precompiles: { [elsewhere]: { base: 5, perWord: 0 } } }
    const chainPrecompiles = new Map([[elsewhere, 2]])
    expect(callCost(elsewhere, zeros(1), { prices, precompiles: chainPrecompiles })).toBe(5n)
    const byCall = { chainPrecompiles, precompiles: new Map([[moved, 2]]) }
    expect(callCost(moved, zeros(1), { prices, ...byCall })).toBe(5n)
  })

  it('is also that of a contract that the host runs', () => {
    const to = addressOf(0x67)
    const hosted: Partial<BlockContext> = {
      precompiles: new Map([[to, hostedContract]]),
      contracts: () => ({ gas: 10n, output: zeros(0) }),
    }
    expect(callCost(to, zeros(100), hosted)).toBe(10n)
    const prices = { precompiles: { [to]: { base: 3000, perWord: 0, perByte: 16 } } }
    expect(callCost(to, zeros(100), { ...hosted, prices })).toBe(4600n)
  })
})
