import { describe, expect, it } from 'vitest'
import { bytesFromHex, hexFromBytes } from '../src/bytes.ts'
import type { Address, Hex } from '../src/port.ts'
import {
  absent,
  account,
  blockOf,
  contract,
  evm,
  newAccount,
  newSlot,
  run,
  sender,
  stackAfter,
} from './amsterdamRun.ts'
import { MemoryState } from './conformance/memoryState.ts'

const system: Address = '0xfffffffffffffffffffffffffffffffffffffffe'
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const topicOf = (address: Address) => `0x${'00'.repeat(12)}${address.slice(2)}`

describe('DUPN, SWAPN and EXCHANGE (EIP-8024)', () => {
  it('take an immediate that fuses with what follows for what it is', () => {
    // 0x90 is SWAP1 and 0x50 POP: two operations that otherwise run as one.
    const words = Array.from({ length: 34 }, (_, index) => `60${(index + 1).toString(16).padStart(2, '0')}`).join('')
    expect(stackAfter(`0x${words}e69050`)).toEqual(Array.from({ length: 34 }, (_, index) => BigInt(34 - index)))
  })

  it('are invalid before Amsterdam', () => {
    expect(run({ code: '0xe680', fork: 'osaka' }).halt).toBe('invalid opcode')
    expect(run({ code: '0x4b', fork: 'osaka' }).halt).toBe('invalid opcode')
  })
})

describe('what a transaction costs in Amsterdam', () => {
  it('depends on what it does to its target (EIP-2780)', () => {
    expect(run({ to: sender, value: 1n }).gasUsed).toBe(12_000n)
    expect(run({ code: '0x' }).gasUsed).toBe(15_000n)
    expect(run({ code: '0x00', value: 1n }).gasUsed).toBe(21_000n)
    const { gasUsed, blockGas } = run({ to: absent, value: 1n })
    expect({ gasUsed, blockGas }).toEqual({
      gasUsed: 21_000n + newAccount,
      blockGas: { regular: 21_000n, state: newAccount },
    })
  })

  it('is at least 64 gas for each byte of data, and of the access list (EIP-7976, EIP-7981)', () => {
    expect(run({ code: '0x', data: new Uint8Array(1000) }).gasUsed).toBe(15_000n + 64_000n)
    const accessList = [{ address: absent, storageKeys: [`0x${'00'.repeat(32)}` as const] }]
    expect(run({ code: '0x', accessList }).gasUsed).toBe(15_000n + 2_900n + 2_000n + 64n * 52n)
  })

  it('counts in its block before refunds (EIP-7778)', () => {
    // SSTORE(0, 1), SSTORE(0, 0): its write is refunded, and its state gas given back.
    const { gasUsed, gasRefund, blockGas } = run({ code: '0x60016000556000600055' })
    const before = 15_000n + 12n + 2_100n + 10_000n + 100n
    expect({ gasUsed, gasRefund, blockGas }).toEqual({
      gasUsed: before - before / 5n,
      gasRefund: before / 5n,
      blockGas: { regular: before, state: 0n },
    })
  })

  it('has state gas beside the cap of regular gas (EIP-8037)', () => {
    // 400 new slots: 39 million gas of state, and less than 6 million besides.
    const code: Hex = '0x6101905b80805560019003806003575000'
    expect(run({ code, gasLimit: 16_777_216n }).halt).toBe('out of gas')
    const { status, blockGas } = run({ code, gasLimit: 50_000_000n })
    expect({ status, state: blockGas.state }).toEqual({ status: 'success', state: 400n * newSlot })
    // GAS does not show the reservoir.
    const shown = run({ code: '0x5a60005260206000f3', gasLimit: 50_000_000n }).output
    expect(BigInt(hexFromBytes(shown))).toBe(16_777_216n - 15_000n - 2n)
  })

  it('gives state gas back to who loses the state', () => {
    // CREATE of code that reverts at once.
    const reverting: Hex = '0x625f5ffd6000526003601d6000f000'
    expect(run({ code: reverting }).blockGas.state).toBe(0n)
    const halting = run({ code: '0x60016000556001600155fe', gasLimit: 20_000_000n })
    // The reservoir is kept.
    expect(halting).toMatchObject({ halt: 'invalid opcode', gasUsed: 16_777_216n, blockGas: { state: 0n } })
  })
})

describe('transfers of ether (EIP-7708)', () => {
  const transfer = (from: Address, to: Address, wei: bigint) => ({
    address: system,
    topics: [transferTopic, topicOf(from), topicOf(to)],
    data: bytesFromHex(`0x${wei.toString(16).padStart(64, '0')}`),
  })
  /** CALL of `absent` with 3 wei. */
  const pays: Hex = `0x6000600060006000600373${absent.slice(2)}5af1`

  it('leave a log: of the transaction, a call, a creation and SELFDESTRUCT', () => {
    expect(run({ to: absent, value: 5n }).logs).toEqual([transfer(sender, absent, 5n)])
    expect(run({ code: `${pays}60006000a000`, value: 5n }).logs).toEqual([
      transfer(sender, contract, 5n),
      transfer(contract, absent, 3n),
      { address: contract, topics: [], data: new Uint8Array() },
    ])
    const created = run({ to: 'create', value: 7n })
    expect(created.logs).toEqual([transfer(sender, created.createdAddress as Address, 7n)])
    expect(run({ code: `0x73${absent.slice(2)}ff`, balance: 9n }).logs).toEqual([transfer(contract, absent, 9n)])
  })

  it('leave none without value, to oneself, in a frame that fails, and before Amsterdam', () => {
    expect(run({ code: '0x00' }).logs).toEqual([])
    expect(run({ to: sender, value: 5n }).logs).toEqual([])
    expect(run({ code: `0x30ff`, balance: 9n }).logs).toEqual([])
    expect(run({ code: `${pays}60006000fd`, value: 5n }).logs).toEqual([])
    expect(run({ to: absent, value: 5n, fork: 'osaka' }).logs).toEqual([])
  })
})

describe('the rest of Amsterdam', () => {
  it('has SLOTNUM (EIP-7843)', () => {
    const { output, readSet } = run({ code: '0x4b60005260206000f3' })
    expect(BigInt(hexFromBytes(output))).toBe(4242n)
    expect(readSet.environment).toEqual(new Set(['slotNumber']))
  })

  it('takes code of 64 KiB (EIP-7954)', () => {
    const returns = (length: number): Uint8Array => bytesFromHex(`0x62${length.toString(16).padStart(6, '0')}6000f3`)
    const gasLimit = 150_000_000n
    const block = { ...blockOf('amsterdam'), gasLimit }
    const state = new MemoryState(new Map([[sender, account('0x', 10n ** 24n)]]))
    const creation = (length: number, data = returns(length)) => {
      const message = { from: sender, to: undefined, value: 0n, data, gasLimit, gasPrice: 0n }
      return evm.run(message, block, state, { kind: 'transaction' })
    }
    expect(creation(65_536)).toMatchObject({ status: 'success' })
    expect(creation(65_537)).toMatchObject({ halt: 'max code size exceeded' })
    expect(creation(0, new Uint8Array(131_073))).toMatchObject({ reason: 'INITCODE_TOO_LARGE' })
  })

  it('burns nothing by SELFDESTRUCT (EIP-8246)', () => {
    // Init code that names its own account.
    const { diff, createdAddress } = run({ to: 'create', value: 9n, data: bytesFromHex('0x30ff') })
    expect(diff.accounts.get(createdAddress as Address)).toEqual({ balance: 9n })
    const before = run({ to: 'create', value: 9n, data: bytesFromHex('0x30ff'), fork: 'osaka' })
    expect(before.diff.accounts.get(before.createdAddress as Address)).toBeUndefined()
  })

  it('creates an account where storage is already (no EIP-7610)', () => {
    const data = bytesFromHex('0x00')
    const { createdAddress } = run({ to: 'create', data })
    const state = new MemoryState(new Map([[sender, account('0x', 10n ** 24n)]]))
    state.accounts.set(createdAddress as Address, {
      ...account('0x', 1n),
      storage: new Map([[`0x${'01'.repeat(32)}`, 1n]]),
    })
    const message = { from: sender, to: undefined, value: 0n, data, gasLimit: 1_000_000n, gasPrice: 0n }
    expect(evm.run(message, blockOf('amsterdam'), state, { kind: 'transaction' })).toMatchObject({ status: 'success' })
    expect(evm.run(message, blockOf('osaka'), state, { kind: 'transaction' })).toMatchObject({
      halt: 'contract address collision',
    })
  })

  it('charges an authorization for the account and the delegation that it makes (EIP-8037, EIP-8038)', () => {
    const authority: Address = `0x${'aa'.repeat(20)}`
    const authorization = { chainId: 1n, address: contract, nonce: 0n, authority }
    const cost = 15_000n + 7_816n + 9_000n
    const { gasUsed, blockGas } = run({ code: '0x00', authorizationList: [authorization] })
    expect({ gasUsed, blockGas }).toEqual({
      gasUsed: cost + newAccount + 23n * 1530n,
      blockGas: { regular: cost, state: newAccount + 23n * 1530n },
    })
    // Too little gas for it: nothing is delegated, and the nonce of the sender is used.
    const poor = run({ code: '0x00', authorizationList: [authorization], gasLimit: 100_000n })
    expect(poor.halt).toBe('out of gas')
    expect([...poor.diff.accounts.keys()]).toEqual([sender])
  })
})
