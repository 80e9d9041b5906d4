import { describe, expect, it } from 'vitest'
import { bytesFromHex, hexFromBytes } from '../src/bytes.ts'
import { requireRules } from '../src/forks.ts'
import { intrinsicGasOf } from '../src/gas/intrinsicGas.ts'
import { keccak256Hex } from '../src/keccak.ts'
import type { AccessListItem, Address, Hex, Log, Step } from '../src/port.ts'
import {
  absent,
  account,
  attempt,
  contract,
  newAccount,
  newSlot,
  run,
  type Sent,
  sender,
  slotKey,
  stackAfter,
} from './amsterdamRun.ts'

// The numbers of Amsterdam's EIPs, each table with the text that it is from. They are the texts of tests@v21.0.1 (2026-10-08) of
// execution-specs, after which they were only moved to Last Call. EIP-7928's example is in packages/node/test/chain.

const system: Address = '0xfffffffffffffffffffffffffffffffffffffffe'
const identity: Address = '0x0000000000000000000000000000000000000004'
const delegated: Address = `0x${'de'.repeat(20)}`
const delegation: Hex = `0xef0100${contract.slice(2)}`
const push = (address: Address) => `73${address.slice(2)}`
const byte = (value: bigint | number) => value.toString(16).padStart(2, '0')
const sizes = (size: number) => size.toString(16).padStart(6, '0')
const rules = requireRules('amsterdam')
const zeros = (count: number): bigint[] => new Array(count).fill(0n)

type Gas = { regular: bigint; state: bigint; refund: bigint }

/** What code costs in a contract, beside its transaction. */
function gasOf(code: string, sent: Sent = {}): Gas {
  const steps: Step[] = []
  const { blockGas, status } = run({ code: `0x${code}00`, ...sent }, steps)
  expect(status).toBe('success')
  return { regular: blockGas.regular - 15_000n, state: blockGas.state, refund: steps.at(-1)?.refund ?? 0n }
}

/** What an operation adds to the cost of what comes before it. */
function added(before: string, operation: string, sent: Sent = {}): Gas {
  const [first, both] = [gasOf(before, sent), gasOf(before + operation, sent)]
  return {
    regular: both.regular - first.regular,
    state: both.state - first.state,
    refund: both.refund - first.refund,
  }
}

/** The test cases of EIPs#11645 (2026-06-18) with the charges of EIPs#11997 (2026-07-22) and the prices of EIPs#12083 (2026-08-04). */
describe('EIP-2780, its own test cases', () => {
  const empty = { code: '0x' } as const
  it.each<[string, Sent, bigint, bigint]>([
    ['a transfer to oneself', { to: sender, value: 1n }, 12_000n, 0n],
    ['nothing to oneself', { to: sender }, 12_000n, 0n],
    ['nothing to an account', { to: delegated, others: { [delegated]: account('0x', 1n) } }, 15_000n, 0n],
    ['nothing to nobody', { to: absent }, 15_000n, 0n],
    ['a transfer to an account', { to: delegated, value: 1n, others: { [delegated]: account('0x', 1n) } }, 21_000n, 0n],
    ['a transfer to a contract', { code: '0x00', value: 1n }, 21_000n, 0n],
    ['a transfer that makes an account', { to: absent, value: 1n }, 21_000n, 183_600n],
    [
      'nothing to a delegated account',
      { ...empty, to: delegated, others: { [delegated]: account(delegation) } },
      18_000n,
      0n,
    ],
    [
      'a transfer to a delegated account',
      { ...empty, to: delegated, value: 1n, others: { [delegated]: account(delegation) } },
      24_000n,
      0n,
    ],
    ['a creation', { to: 'create' }, 24_000n, 183_600n],
    ['a creation with value', { to: 'create', value: 1n }, 24_000n, 183_600n],
    // 24 000, and the floor of three bytes of init code.
    ['a creation that reverts', { to: 'create', data: bytesFromHex('0x5f5ffd') }, 24_192n, 0n],
    ['a creation with value that reverts', { to: 'create', value: 1n, data: bytesFromHex('0x5f5ffd') }, 24_192n, 0n],
    // tests-glamsterdam-devnet@v6.1.0: a precompile without balance is empty too. Its own gas is 15.
    ['a transfer to a precompile', { to: identity, value: 1n }, 21_015n, 183_600n],
  ])('%s', (_, sent, regular, state) => {
    const { blockGas, gasUsed } = run(sent)
    expect({ ...blockGas, gasUsed }).toEqual({ regular, state, gasUsed: regular + state })
  })
})

/** The table of fields and the cases of EIPs#11634 (2026-05-08). The text has no example with values. */
describe('EIP-7708, a case for each sentence', () => {
  const transfer = (from: Address, to: Address, wei: bigint): Log => ({
    address: system,
    topics: [
      keccak256Hex(new TextEncoder().encode('Transfer(address,address,uint256)')),
      `0x${'00'.repeat(12)}${from.slice(2)}`,
      `0x${'00'.repeat(12)}${to.slice(2)}`,
    ],
    data: bytesFromHex(slotKey(Number(wei))),
  })
  const toAbsent = `5f5f5f5f6003${push(absent)}5a`
  it('has the topic of ERC-20', () => {
    expect(transfer(sender, absent, 1n).topics[0]).toBe(
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    )
  })
  it.each<[string, Sent, Log[]]>([
    ['a transaction with value', { to: absent, value: 5n }, [transfer(sender, absent, 5n)]],
    ['a transaction to oneself', { to: sender, value: 5n }, []],
    ['a transaction without value, with its fee', { code: '0x00', gasPrice: 1n }, []],
    [
      'a transaction before what its code logs',
      { code: '0x5f5fa0', value: 5n },
      [transfer(sender, contract, 5n), { address: contract, topics: [], data: new Uint8Array() }],
    ],
    ['CALL with value', { code: `0x${toAbsent}f1`, balance: 9n }, [transfer(contract, absent, 3n)]],
    // CALLER is ADDRESS in the inner call, which then stops.
    ['CALL of oneself', { code: '0x3330146010575f5f5f5f6003305af1005b00', balance: 9n }, []],
    ['CALLCODE with value', { code: `0x${toAbsent}f2`, balance: 9n }, []],
    ['CALL in a frame that reverts', { code: `0x${toAbsent}f15f5ffd`, balance: 9n }, []],
    ['SELFDESTRUCT to another account', { code: `0x${push(absent)}ff`, balance: 9n }, [transfer(contract, absent, 9n)]],
    ['SELFDESTRUCT to oneself', { code: '0x30ff', balance: 9n }, []],
    ['SELFDESTRUCT without balance', { code: `0x${push(absent)}ff` }, []],
  ])('%s', (_, sent, logs) => {
    expect(run(sent).logs).toEqual(logs)
  })
  it.each(['5f5f6004f0', '5f5f5f6004f5'])('the endowment of a creation by 0x%s', (creates) => {
    const { logs, output } = run({ code: `0x${creates}5f5260205ff3`, balance: 9n })
    expect(logs).toEqual([transfer(contract, `0x${hexFromBytes(output).slice(26)}`, 4n)])
  })
})

/** `gas_spent = max(tx_gas_used - gas_refund, floor)` and `block.gas_used += max(tx_gas_used, floor)`, the text of 2026-07-10. */
describe('EIP-7778, a case for each of its formulas', () => {
  const clears: Sent = { code: '0x5f5f5500', slots: { 0: 1n } }
  const nonzero = (count: number) => new Uint8Array(count).fill(1)
  it.each<[string, Sent, bigint, bigint]>([
    ['without a refund', { code: '0x00' }, 15_000n, 15_000n],
    // 15 000 + 4 + 12 100, of which a fifth is refunded.
    ['with a refund', clears, 27_104n - 5_420n, 27_104n],
    // 3 200 more for data, whose floor is 12 800 + 15 000.
    ['where the floor is above what is left', { ...clears, data: nonzero(200) }, 27_800n, 30_304n],
    ['where the floor is above all of it', { ...clears, data: nonzero(1000) }, 79_000n, 79_000n],
  ])('%s', (_, sent, spent, inBlock) => {
    const { gasUsed, blockGas } = run(sent)
    expect({ gasUsed, blockGas }).toEqual({ gasUsed: spent, blockGas: { regular: inBlock, state: 0n } })
  })
})

/** Opcode 0x4b, 2 gas, the slot as a 64-bit number: the text of 2026-08-05, which has no other examples. */
describe('EIP-7843, a case for each sentence', () => {
  it.each([0n, 1n, 1n << 32n, (1n << 64n) - 1n])('SLOTNUM answers slot %s for 2 gas', (slotNumber) => {
    const { output } = run({ code: '0x4b5f5260205ff3', block: { slotNumber } })
    expect(BigInt(hexFromBytes(output))).toBe(slotNumber)
    expect(gasOf('4b', { block: { slotNumber } })).toEqual({ regular: 2n, state: 0n, refund: 0n })
  })
})

/** 64 KiB of code (0x10000) and 128 KiB of init code (0x20000): the text of 2026-07-08, since EIPs#11540. */
describe('EIP-7954, both limits', () => {
  const returns = (size: number) => bytesFromHex(`0x62${sizes(size)}5ff3`)
  const block = { gasLimit: 200_000_000n }
  const creation = { to: 'create', gasLimit: 150_000_000n, block } as const
  it.each<[number, string | undefined]>([
    [0x6001, undefined],
    [0x10000, undefined],
    [0x10001, 'max code size exceeded'],
  ])('code of %s bytes', (size, halt) => {
    expect(run({ ...creation, data: returns(size) })).toMatchObject({ halt })
  })
  it.each<[number, object]>([
    [0x20000, { status: 'success' }],
    [0x20001, { reason: 'INITCODE_TOO_LARGE' }],
  ])('a transaction with init code of %s bytes', (size, result) => {
    expect(attempt({ ...creation, data: new Uint8Array(size) })).toMatchObject(result)
  })
  it.each<[number, object]>([
    [0x20000, { status: 'success' }],
    [0x20001, { status: 'halt' }],
  ])('CREATE with init code of %s bytes', (size, result) => {
    expect(run({ code: `0x62${sizes(size)}5f5ff000` })).toMatchObject(result)
  })
})

/** 64 gas for each byte: the text of 2026-07-08; the floor's base is that of EIP-2780. */
describe('EIP-7976, its own numbers', () => {
  it.each<[string, Uint8Array, bigint]>([
    ['no byte', new Uint8Array(), 0n],
    ['a zero byte', new Uint8Array(1), 64n],
    ['a nonzero byte', Uint8Array.of(1), 64n],
    ['10 MiB, the example of its motivation', new Uint8Array(10 * 1024 * 1024), 671_088_640n],
  ])('the floor of %s', (_, data, floor) => {
    const message = { from: sender, to: contract, value: 0n, data, gasLimit: 0n, gasPrice: 0n }
    expect(intrinsicGasOf(message, rules).floor).toBe(15_000n + floor)
  })
  it('refuses a gas limit below the floor', () => {
    const data = new Uint8Array(100)
    expect(attempt({ code: '0x', data, gasLimit: 21_400n })).toMatchObject({ gasUsed: 21_400n })
    expect(attempt({ code: '0x', data, gasLimit: 21_399n })).toMatchObject({ reason: 'INTRINSIC_GAS_TOO_LOW' })
  })
})

/** 1 280 gas for an address and 2 048 for a key (the text of 2026-07-07), beside the 2 900 and 2 000 of EIP-8038. */
describe('EIP-7981, its own numbers', () => {
  const item = (...keys: number[]): AccessListItem => ({ address: absent, storageKeys: keys.map(slotKey) })
  const address = 2_900n + 1_280n
  const key = 2_000n + 2_048n
  it.each<[string, AccessListItem[], bigint]>([
    ['an address', [item()], address],
    ['an address and a key', [item(0)], address + key],
    ['two addresses and three keys', [item(0), item(1, 2)], 2n * address + 3n * key],
    ['an address twice', [item(), item()], 2n * address],
  ])('%s', (_, accessList, cost) => {
    const gasLimit = 15_000n + cost
    expect(attempt({ code: '0x', accessList, gasLimit })).toMatchObject({ gasUsed: gasLimit })
    expect(attempt({ code: '0x', accessList, gasLimit: gasLimit - 1n })).toMatchObject({
      reason: 'INTRINSIC_GAS_TOO_LOW',
    })
  })
  it('adds the list to the floor of data', () => {
    const data = new Uint8Array(1000)
    const { gasUsed } = run({ code: '0x', data, accessList: [item(0)] })
    expect(gasUsed).toBe(15_000n + 64n * 1000n + 1_280n + 2_048n)
  })
})

/** The address and the runtime code of the text of 2026-07-17; what the code does follows from it. */
describe('EIP-7997, its own code', () => {
  const factory: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
  const code: Hex =
    '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'
  const deploys = (salt: number, initCode: string) =>
    run({ to: factory, others: { [factory]: account(code) }, data: bytesFromHex(`${slotKey(salt)}${initCode}`) })

  it.each([0, 1])('creates by CREATE2 with salt %s, and answers the address', (salt) => {
    const hash = keccak256Hex(bytesFromHex('0x60015ff3')).slice(2)
    const parts: Hex = `0xff${factory.slice(2)}${slotKey(salt).slice(2)}${hash}`
    const { output, diff } = deploys(salt, '60015ff3')
    expect(hexFromBytes(output)).toBe(`0x${keccak256Hex(bytesFromHex(parts)).slice(26)}`)
    expect(diff.accounts.get(hexFromBytes(output))).toMatchObject({ nonce: 1n, code: Uint8Array.of(0) })
  })
  it('reverts where the init code does', () => {
    expect(deploys(0, '5f5ffd')).toMatchObject({ status: 'revert', output: new Uint8Array() })
  })
})

/** Its test cases as of EIPs#11306 (2026-02-25; unchanged in the text of 2026-06-10). */
describe('EIP-8024, its own test cases', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => BigInt(count - index))
  const pushes = (count: number) =>
    `0x${Array.from({ length: count }, (_, index) => `60${byte(index + 1)}`).join('')}` as Hex
  const swapped = (count: number, a: number, b: number) => {
    const stack = words(count)
    ;[stack[a], stack[b]] = [stack[b] as bigint, stack[a] as bigint]
    return stack
  }
  it.each<[string, Hex, bigint[]]>([
    ['e680 is DUPN 17', `${pushes(17)}e680`, [1n, ...words(17)]],
    ['e700 is SWAPN 145', `${pushes(146)}e700`, swapped(146, 0, 145)],
    ['e780 is SWAPN 17', `${pushes(18)}e780`, swapped(18, 0, 17)],
    ['e6805b is DUPN 17 and JUMPDEST', `${pushes(17)}e6805b`, [1n, ...words(17)]],
    ['e89d is EXCHANGE 2 3', `${pushes(4)}e89d`, swapped(4, 2, 3)],
    ['e82f is EXCHANGE 1 19', `${pushes(20)}e82f`, swapped(20, 1, 19)],
    ['e850 is EXCHANGE 14 16', `${pushes(17)}e850`, swapped(17, 14, 16)],
    ['e851 is EXCHANGE 14 15', `${pushes(16)}e851`, swapped(16, 14, 15)],
    ['the first execution', '0x60016000808080808080808080808080808080e680', [1n, ...zeros(16), 1n]],
    ['the second execution', '0x600160008080808080808080808080808080806002e780', [1n, ...zeros(16), 2n]],
    ['the third execution', '0x600060016002e88e', [2n, 0n, 1n]],
    ['EXCHANGE and ISZERO', '0x60008080e88e15', [1n, 0n, 0n]],
    ['a jump to an immediate', '0x600456e65b', []],
  ])('%s', (_, code, stack) => {
    expect(stackAfter(code)).toEqual(stack)
  })
  it.each(['e75b', 'e6605b', 'e7610000', 'e65f', 'e852'])('%s is invalid', (code) => {
    expect(stackAfter(`${pushes(255)}${code}`)).toBe('invalid opcode')
  })
  it('fails where the stack is too low', () => {
    expect(stackAfter('0x6000808080808080808080808080808080e680')).toBe('stack underflow')
  })
  it.each([
    ['e6', 145],
    ['e7', 146],
    ['e8', 17],
  ])('%s at the end of code has the immediate 0, and needs %s words', (operation, needed) => {
    const code = (count: number): Hex => `0x${'5f'.repeat(count)}${operation}`
    expect(run({ code: code(needed) }).status).toBe('success')
    expect(run({ code: code(needed - 1) }).halt).toBe('stack underflow')
  })
  it.each(['e680', 'e780', 'e88e'])('%s costs 3 gas', (code) => {
    expect(added('5f'.repeat(20), code)).toEqual({ regular: 3n, state: 0n, refund: 0n })
  })
})

/** Bytes of state at 1 530 gas each: 120 for an account, 64 for a slot, 23 for a delegation; the texts of 2026-07-31 and later. */
describe('EIP-8037, a case for each charge', () => {
  const pays = `5f5f5f5f6001${push(absent)}5a`
  it.each<[string, () => bigint, bigint]>([
    ['a new slot', () => gasOf('60015f55').state, 97_920n],
    ['a slot that is cleared again', () => gasOf('60015f555f5f55').state, 0n],
    ['a slot that had a value', () => gasOf('60025f55', { slots: { 0: 1n } }).state, 0n],
    ['CALL that makes an account', () => gasOf(`${pays}f1`, { balance: 1n }).state, 183_600n],
    [
      'CALL of an account',
      () => gasOf(`${pays}f1`, { balance: 1n, others: { [absent]: account('0x', 1n) } }).state,
      0n,
    ],
    ['CALLCODE, which makes none', () => gasOf(`${pays}f2`, { balance: 1n }).state, 0n],
    ['SELFDESTRUCT that makes an account', () => gasOf(`${push(absent)}ff`, { balance: 1n }).state, 183_600n],
    ['CREATE', () => gasOf('5f5f5ff0').state, 183_600n],
    ['CREATE2', () => gasOf('5f5f5f5ff5').state, 183_600n],
    ['a frame that reverts', () => run({ code: '0x60015f555f5ffd' }).blockGas.state, 0n],
    ['a frame that halts', () => run({ code: '0x60015f55fe' }).blockGas.state, 0n],
  ])('%s', (_, state, gas) => {
    expect(state()).toBe(gas)
  })

  it.each([1, 32, 33, 1000])('code of %s bytes costs 1 530 for each, and 6 for each word', (size) => {
    // CREATE of code that ends with RETURN or REVERT of so many bytes.
    const creates = (ends: string) => `6562${sizes(size)}5f${ends}5f526006601a5ff0`
    const gas = { gasLimit: 5_000_000n }
    const [kept, reverted] = [gasOf(creates('f3'), gas), gasOf(creates('fd'), gas)]
    expect(kept.state - reverted.state).toBe(newAccount + 1_530n * BigInt(size))
    expect(kept.regular - reverted.regular).toBe(6n * BigInt(Math.ceil(size / 32)))
  })

  it.each<[string, Sent['others'], bigint]>([
    ['nobody', {}, 183_600n + 35_190n],
    ['an account', { [absent]: account('0x', 1n) }, 35_190n],
    ['a delegated account', { [absent]: account(delegation) }, 0n],
  ])('an authorization of %s', (_, others, state) => {
    const nonce = others?.[absent]?.nonce ?? 0n
    const authorizationList = [{ chainId: 1n, address: contract, nonce, authority: absent }]
    const { diff, blockGas } = run({ code: '0x00', others: others ?? {}, authorizationList })
    expect(diff.accounts.get(absent)?.nonce).toBe(nonce + 1n)
    expect(blockGas.state).toBe(state)
  })

  it('caps regular gas at 16 777 216, of which intrinsic gas and the floor are part', () => {
    // 15 000 + 64 * 261 909 = 16 777 176.
    const sent: Sent = { code: '0x', gasLimit: 30_000_000n }
    expect(attempt({ ...sent, data: new Uint8Array(261_909) })).toMatchObject({ gasUsed: 16_777_176n })
    expect(attempt({ ...sent, data: new Uint8Array(261_910) })).toMatchObject({ reason: 'GAS_LIMIT_EXCEEDS_CAP' })
  })

  // EIPs#12265 of 2026-08-29, execution-specs#3478: its own example, of two calls that write and clear a slot.
  it('repays what another frame gave back, when a call ends well', () => {
    const other: Address = `0x${'0c'.repeat(20)}`
    const calls = (value: number) => `60${byte(value)}5f525f5f60205f5f${push(other)}5af150`
    const code: Hex = `0x5a${calls(1)}${calls(0)}5a90035f5260205ff3`
    // SSTORE(0, CALLDATALOAD(0)).
    const others = { [other]: account('0x5f355f5500') }
    const gone = (gasLimit: bigint) => BigInt(hexFromBytes(run({ code, others, gasLimit }).output))
    // The same as with a reservoir, which the slot is paid from.
    expect(gone(1_000_000n)).toBe(gone(16_777_216n + 1_000_000n))
    expect(run({ code, others }).blockGas.state).toBe(0n)
  })

  // EIPs#12311 of 2026-09-10, execution-specs#3582.
  it.each([
    [(1n << 32n) - 1n, { status: 'success' }],
    [1n << 32n, { reason: 'GAS_LIMIT_EXCEEDS_CAP', details: { gasLimit: 1n << 32n, cap: 4_294_967_295n } }],
  ])('the gas limit %s of a transaction', (gasLimit, result) => {
    expect(attempt({ code: '0x00', gasLimit, block: { gasLimit: 1n << 33n } })).toMatchObject(result)
  })
})

/** The parameters of EIPs#12083 (2026-08-04), the access list's of EIPs#12056, and the table of SSTORE. */
describe('EIP-8038, its own tables', () => {
  it('derives its parameters', () => {
    const { prices } = rules
    expect(prices.refundClear).toBe(((10_000 + 2_100) * 4_800) / 5_000)
    expect(prices).toMatchObject({ coldAccount: 3_000, callValue: 9_000 + 2_300, selfdestructNewAccount: 9_000 })
    expect(prices).toMatchObject({ transactionCreate: 9_000 + 3_000, create: 9_000 + 3_000 })
    expect(prices).toMatchObject({ accessListAddress: 3_000 - 100, accessListKey: 2_100 - 100 })
    expect(prices.authorization).toBe(101 * 16 + 3_000 + 3_000 + 2 * 100)
  })

  const warms = '5f5450'
  it.each<[string, bigint, string, bigint, Gas]>([
    ['0 0 x, cold', 0n, '', 5n, { regular: 12_100n, state: newSlot, refund: 0n }],
    ['0 0 x, warm', 0n, warms, 5n, { regular: 10_100n, state: newSlot, refund: 0n }],
    ['0 x 0, warm', 0n, '60055f55', 0n, { regular: 100n, state: -newSlot, refund: 10_000n }],
    ['x x 0, cold', 1n, '', 0n, { regular: 12_100n, state: 0n, refund: 11_616n }],
    ['x x 0, warm', 1n, warms, 0n, { regular: 10_100n, state: 0n, refund: 11_616n }],
    ['x x y, cold', 1n, '', 5n, { regular: 12_100n, state: 0n, refund: 0n }],
    ['x x y, warm', 1n, warms, 5n, { regular: 10_100n, state: 0n, refund: 0n }],
    ['x x x, cold', 1n, '', 1n, { regular: 2_100n, state: 0n, refund: 0n }],
    ['x y z, warm', 1n, '60055f55', 6n, { regular: 100n, state: 0n, refund: 0n }],
    ['x y x, warm', 1n, '60055f55', 1n, { regular: 100n, state: 0n, refund: 10_000n }],
    ['x y 0, warm', 1n, '60055f55', 0n, { regular: 100n, state: 0n, refund: 11_616n }],
    ['x 0 y, warm', 1n, '5f5f55', 5n, { regular: 100n, state: 0n, refund: -11_616n }],
  ])('SSTORE from, over and to %s', (_, original, before, value, gas) => {
    expect(added(`${before}60${byte(value)}5f`, '55', { slots: { 0: original } })).toEqual(gas)
  })

  const cold = push(absent)
  const warm = `${cold}3150${cold}`
  const copies = '5f5f5f'
  const pays = (target: string) => `5f5f5f5f6001${target}5f`
  const rich: Sent = { balance: 1n, others: { [absent]: account('0x', 1n) } }
  it.each<[string, string, string, bigint, Sent?]>([
    ['BALANCE, cold', cold, '31', 3_000n],
    ['BALANCE, warm', warm, '31', 100n],
    ['EXTCODEHASH, cold', cold, '3f', 3_000n],
    ['EXTCODEHASH, warm', warm, '3f', 100n],
    ['EXTCODESIZE, cold', cold, '3b', 3_100n],
    ['EXTCODESIZE, warm', warm, '3b', 200n],
    ['EXTCODECOPY, cold', copies + cold, '3c', 3_100n],
    ['EXTCODECOPY, warm', copies + warm, '3c', 200n],
    ['SLOAD, cold', '5f', '54', 2_100n],
    ['SLOAD, warm', `${warms}5f`, '54', 100n],
    // The stipend comes back.
    ['CALL with value, cold', pays(cold), 'f1', 3_000n + 9_000n, rich],
    ['CALLCODE with value, cold', pays(cold), 'f2', 3_000n + 9_000n, rich],
    ['CALL with value, warm', pays(warm), 'f1', 100n + 9_000n, rich],
    ['CREATE', '5f5f5f', 'f0', 12_000n],
    ['CREATE2', '5f5f5f5f', 'f5', 12_000n],
    ['SELFDESTRUCT to an account', cold, 'ff', 5_000n + 3_000n, rich],
    ['SELFDESTRUCT to nobody', cold, 'ff', 5_000n + 3_000n + 9_000n, { balance: 1n }],
    ['SELFDESTRUCT of nothing', cold, 'ff', 5_000n + 3_000n],
  ])('%s', (_, before, operation, regular, sent) => {
    expect(added(before, operation, sent).regular).toBe(regular)
  })

  it.each<[string, Sent['others'], bigint]>([
    ['nobody', {}, 9_000n],
    ['an account', { [absent]: account('0x', 1n) }, 9_000n],
  ])('an authorization of %s costs 7 816, and the write', (_, others, write) => {
    const authorizationList = [{ chainId: 1n, address: contract, nonce: 0n, authority: absent }]
    const { blockGas } = run({ code: '0x00', others: others ?? {}, authorizationList })
    expect(blockGas.regular).toBe(15_000n + 7_816n + write)
  })
})

/** The rules 1 and 2 of the text of 2026-05-22. It has no example with values. */
describe('EIP-8246, a case for each rule', () => {
  const creation: Sent = { to: 'create', value: 9n }
  const after = (sent: Sent) => {
    const { diff, createdAddress } = run(sent)
    return diff.accounts.get(createdAddress as Address)
  }
  it('keeps the balance of who names itself, without nonce and code', () => {
    expect(after({ ...creation, data: bytesFromHex('0x30ff') })).toEqual({ balance: 9n })
    expect(after({ ...creation, data: bytesFromHex('0x30ff'), fork: 'osaka' })).toBeUndefined()
  })
  it('keeps what comes after the SELFDESTRUCT, and forgets slots', () => {
    // CREATE of code that writes a slot and sends its balance to nobody (0x00), then a CALL of it with 5 wei.
    const initCode = '60015f555fff'
    const code: Hex = `0x65${initCode}5f526006601a5ff05f5f5f5f6005855af100`
    const { diff, createdAddress, logs } = run({ code, balance: 9n })
    const to = `0x${logs.at(-1)?.topics[2]?.slice(26)}` as Address
    expect(createdAddress).toBeUndefined()
    expect(diff.accounts.get(to)).toEqual({ balance: 5n })
    expect(diff.slots.get(to)).toBeUndefined()
  })
  it('leaves nothing of who has no balance', () => {
    expect(after({ to: 'create', data: bytesFromHex('0x30ff') })).toBeUndefined()
  })
})
