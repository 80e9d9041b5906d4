import type { Address, Hex } from '@understudy/evm'
import { describe, expect, it } from 'vitest'
import { entryPoints } from '../ethereum/encodings/userOperations/entryPoints.ts'
import { delegationMarker, type UserOperation } from '../ethereum/encodings/userOperations/userOperation.ts'
import { bytesFromHex, wordFromBigint } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { type ValidationFrame, violationsOf } from './validationRules.ts'

const [entryPoint] = entryPoints as [(typeof entryPoints)[number]]
const [account, factory, paymaster, other, creator] = ['a1', 'fa', 'ba', 'cc', 'dd'].map(
  (byte) => `0x${byte.repeat(20)}` as Address,
) as [Address, Address, Address, Address, Address]

const none = { reads: {}, writes: {}, transientReads: {}, transientWrites: {} }
const frame = (to: Address, more: Partial<ValidationFrame> = {}): ValidationFrame => ({
  type: 'CALL',
  from: entryPoint.address,
  to,
  input: '0x',
  usedOpcodes: {},
  accessedSlots: none,
  contractSize: {},
  outOfGas: false,
  ...more,
})
const using = (...codes: number[]) => ({
  usedOpcodes: Object.fromEntries(codes.map((code) => [`0x${code.toString(16)}`, 1])),
})
const reading = (slot: bigint) => ({ accessedSlots: { ...none, reads: { [wordFromBigint(slot)]: '0x' } } })
const writing = (slot: bigint) => ({ accessedSlots: { ...none, writes: { [wordFromBigint(slot)]: '0x' } } })

const operation = { sender: account, factory: undefined, paymaster: undefined } as UserOperation
const withPaymaster = { ...operation, paymaster: { address: paymaster } as UserOperation['paymaster'] }
const withFactory = { ...operation, factory }
/** The entry point calls the factory through a contract of its own. */
const creating = (more: Partial<ValidationFrame>) => frame(creator, { calls: [frame(factory, more)] })

type Where = { of?: UserOperation; staked?: Address[]; keccak?: Hex[] }
async function violations(calls: ValidationFrame[], { of = operation, staked = [], keccak = [] }: Where = {}) {
  const trace = frame(entryPoint.address, { calls, keccak })
  return violationsOf(trace, of, entryPoint, async (address) => staked.includes(address))
}
const rules = async (...given: Parameters<typeof violations>) =>
  (await violations(...given)).map(({ rule, entity }) => `${rule} ${entity}`)

describe('operations', () => {
  it('whose result may change are refused, once for each contract and operation, also in inner calls', async () => {
    const inner = frame(other, { from: account, ...using(0x42, 0x42, 0x43) })
    const found = await violations([frame(account, { ...using(0x42), calls: [inner, inner] })])
    expect(found).toEqual(
      [
        ['TIMESTAMP', account],
        ['TIMESTAMP', other],
        ['NUMBER', other],
      ].map(([name, owner]) => ({
        rule: 'OP-011',
        entity: 'account',
        address: account,
        problem: `uses ${name} in ${owner}`,
      })),
    )
  })

  it('are banned by their codes', async () => {
    const banned = '32 3a 40 41 42 43 44 45 48 49 4a 5a f0 f5 fe ff'.split(' ').map((code) => Number(`0x${code}`))
    for (let code = 0; code < 256; code++) {
      const found = await rules([frame(account, using(code))], { staked: [account] })
      expect(found).toEqual(banned.includes(code) ? ['OP-011 account'] : [])
    }
  })

  it('that read a balance are for staked entities', async () => {
    for (const code of [0x31, 0x47]) {
      expect(await rules([frame(account, using(code))])).toEqual(['OP-080 account'])
      expect(await rules([frame(account, using(code))], { staked: [account] })).toEqual([])
    }
  })

  it('that create a contract: a factory may once, and the account that it creates with CREATE', async () => {
    const of = withFactory
    expect(await rules([frame(account, using(0xf5))], { of })).toEqual(['OP-011 account'])
    expect(await rules([creating(using(0xf5))], { of })).toEqual([])
    expect(await rules([creating({ usedOpcodes: { '0xf5': 2 } })], { of })).toEqual(['OP-031 factory'])
    const twice = { ...using(0xf5), calls: [frame(other, { from: factory, ...using(0xf5) })] }
    expect(await rules([creating(twice)], { of })).toEqual(['OP-031 factory'])
    expect(await rules([frame(account, using(0xf0))], { of })).toEqual([])
    expect(await rules([creating(using(0xf0))], { of })).toEqual(['OP-011 factory'])
    expect(await rules([frame(account, using(0xf0))])).toEqual(['OP-011 account'])
    // An account that delegates to its code is not created.
    const delegating = { ...operation, factory: delegationMarker }
    expect(await rules([frame(account, using(0xf0))], { of: delegating })).toEqual(['OP-011 account'])
  })

  it('may not run out of gas', async () => {
    const inner = frame(other, { type: 'DELEGATECALL', from: account, outOfGas: true })
    expect(await violations([frame(account, { calls: [inner] })])).toMatchObject([
      { rule: 'OP-020', problem: `runs out of gas in ${account}` },
    ])
  })

  it('count only until the entry point runs the operation, and not inside of the entry point', async () => {
    const banned = frame(account, using(0x42))
    expect(await rules([frame(account), frame(entryPoint.address), banned])).toEqual([])
    const deposit = frame(entryPoint.address, { input: '0xb760faf9', ...using(0x42) })
    expect(await rules([frame(account, { calls: [deposit] })])).toEqual([])
  })
})

describe('calls', () => {
  it('go to contracts with code, to precompiles, and to the account unless it is the paymaster that calls', async () => {
    const touching = (address: Address, contractSize = 0) => ({
      contractSize: { [address]: { contractSize, opcode: 0xf1 } },
    })
    const precompile = (number: bigint): Address => `0x${number.toString(16).padStart(40, '0')}`
    expect(await rules([frame(account, touching(other))])).toEqual(['OP-041 account'])
    expect(await rules([frame(account, touching(other, 1))])).toEqual([])
    for (const number of [1n, 0x11n, 0x100n])
      expect(await rules([frame(account, touching(precompile(number)))])).toEqual([])
    for (const number of [0n, 0x12n, 0x101n])
      expect(await rules([frame(account, touching(precompile(number)))])).toEqual(['OP-041 account'])
    expect(await rules([frame(account, touching(account))])).toEqual([])
    expect(await rules([frame(paymaster, touching(account))], { of: withPaymaster })).toEqual(['OP-041 paymaster'])
    expect(await rules([frame(account, touching(entryPoint.address))])).toEqual([])
  })

  it('send ether only to the entry point, of which few methods may be called', async () => {
    const sending = (to: Address, value: Hex, input: Hex = '0x') => [
      frame(account, { calls: [frame(to, { value, input })] }),
    ]
    expect(await rules(sending(other, '0x1'))).toEqual(['OP-061 account'])
    expect(await rules(sending(other, '0x0'))).toEqual([])
    for (const input of ['0x', '0xb760faf9ff', '0x0bd28e3b'] as const)
      expect(await rules(sending(entryPoint.address, '0x1', input))).toEqual([])
    expect(await violations(sending(entryPoint.address, '0x0', '0x205c287800'))).toMatchObject([
      { rule: 'OP-054', problem: 'calls 0x205c2878 of the entry point' },
    ])
  })
})

describe('storage', () => {
  const at = (contract: Address, access: object) => frame(contract, { from: account, ...access })
  const key = (address: Address) => `0x${address.slice(2).padStart(64, '0')}${'0'.repeat(63)}3` as Hex
  const hashOf = (address: Address) => BigInt(keccak(bytesFromHex(key(address))))

  it('of the account is its own, whatever code uses it', async () => {
    for (const type of ['DELEGATECALL', 'CALLCODE']) {
      const delegated = frame(other, { type, from: account, ...writing(5n) })
      expect(await rules([frame(account, { ...writing(4n), calls: [delegated] })])).toEqual([])
    }
  })

  it('of another contract is refused without a stake, but for slots that belong to the account', async () => {
    expect(await violations([frame(account, { calls: [at(other, reading(5n))] })])).toMatchObject([
      { rule: 'STO-021', problem: `reads slot ${wordFromBigint(5n)} of ${other}, and is not staked` },
    ])
    expect(await rules([frame(account, { calls: [at(other, writing(BigInt(account)))] })])).toEqual([])
    const hash = hashOf(account)
    for (const [offset, found] of [
      [-1n, ['STO-021 account']],
      [0n, []],
      [128n, []],
      [129n, ['STO-021 account']],
    ] as const) {
      const calls = [frame(account, { calls: [at(other, writing(hash + offset))] })]
      expect(await rules(calls, { keccak: [key(account)] })).toEqual(found)
    }
    // The slot of a hash that was not computed in the run, or of another's address, belongs to nobody.
    const calls = [frame(account, { calls: [at(other, reading(hash))] })]
    expect(await rules(calls)).toEqual(['STO-021 account'])
    expect(await rules(calls, { keccak: [key(other)] })).toEqual(['STO-021 account'])
  })

  it('of a staked entity is its own; that of others it may read, and write where it belongs to the entity', async () => {
    const of = withPaymaster
    const calls = [frame(paymaster, { ...writing(1n), calls: [at(other, reading(5n))] })]
    expect(await rules(calls, { of })).toEqual(['STO-031 paymaster', 'STO-021 paymaster'])
    expect(await rules(calls, { of, staked: [paymaster] })).toEqual([])
    const staked = [paymaster]
    const write = (contract: Address, slot: bigint) => [frame(paymaster, { calls: [at(contract, writing(slot))] })]
    expect(await rules(write(other, 5n), { of, staked })).toEqual(['STO-033 paymaster'])
    expect(await rules(write(other, BigInt(paymaster)), { of, staked })).toEqual([])
    // Slots of another entity are not its own, even if they are named after it.
    const both = { ...withPaymaster, factory }
    const found = await rules([creating({}), ...write(factory, BigInt(paymaster))], { of: both, staked })
    expect(found).toEqual(['STO-033 paymaster'])
  })

  it('of another contract that belongs to the account waits until the account is there, or its factory is staked', async () => {
    const calls = [creating({}), frame(account, { calls: [at(other, writing(BigInt(account)))] })]
    expect(await rules(calls, { of: withFactory })).toEqual(['STO-022 account'])
    expect(await rules(calls, { of: withFactory, staked: [factory] })).toEqual([])
  })

  it('counts transient slots, and a slot that is read and written as written', async () => {
    const slot = wordFromBigint(5n)
    const used = (accesses: object) => [
      frame(account, { calls: [at(other, { accessedSlots: { ...none, ...accesses } })] }),
    ]
    for (const access of ['transientReads', 'reads'])
      expect(await rules(used({ [access]: { [slot]: '0x' } }))).toEqual(['STO-021 account'])
    const found = await violations(used({ reads: { [slot]: '0x' }, transientWrites: { [slot]: '0x' } }))
    expect(found.map(({ problem }) => problem.split(' ')[0])).toEqual(['writes'])
  })
})
