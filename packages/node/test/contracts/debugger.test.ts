import { createRequire } from 'node:module'
import { lineTableOf, type NumberedSource } from '@understudy/client/artifacts'
import { cpuTime } from '@understudy/testkit'
import { type Abi, type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Entry = { file: string | null; line: number | null; function: string | null; contract: string | null }
type Position = {
  step: number
  reason: string
  pc: number
  opcode: string
  depth: number
  error: string | null
  message: string | null
  stack: (Entry & { call: number; arguments: { name: string; value: unknown }[] | null })[]
  operations: { step: number; opcode: string }[]
  machine: { stack: Hex[]; calldata: { data: Hex; size: number } }
  writes: { address: Address; slot: Hex; value: Hex; step: number }[]
}
type Opened = { id: string; steps: number; position: Position }
type Code = { object: string; sourceMap: string }
type Compiled = { abi: Abi; storageLayout: object; evm: { bytecode: Code; deployedBytecode: Code } }
type Variables = {
  isKnown: boolean
  entry: { value: string } | null
  entries: { name: string; value: string | null }[]
}

const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }

const path = 'src/Vault.sol'
/** Lines end with `// NAME`, by which tests name them. */
const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Ledger {
    mapping(address => uint256) public balances;
    uint256 public total;

    function credit(address to, uint256 amount) external returns (uint256) {
        require(amount < 1000, "too much"); // limit
        balances[to] += amount; // balance
        total += amount; // total
        return total; // answer
    }
}

contract Vault {
    Ledger public ledger = new Ledger();
    uint256 public deposits;
    uint128 public last;

    function deposit(uint256 amount) external {
        uint256 given = bounded(amount); // bounds
        deposits += 1; // counts
        last = uint128(given); // last
        ledger.credit(msg.sender, given); // credits
        deposits += 1; // after
    }

    function bounded(uint256 amount) internal pure returns (uint256) {
        if (amount > 1_000_000) amount = 1_000_000; // caps
        return half(amount) * 2; // doubles
    }

    function half(uint256 amount) internal pure returns (uint256) {
        return amount / 2; // half
    }

    function spin() external pure returns (uint256 sum) {
        for (uint256 i = 0; ; i++) {
            sum += i; // spins
            unchecked {
                sum ^= 5;
            }
        }
    }
}
`
const lineOf = (name: string) => source.split('\n').findIndex((text) => text.endsWith(`// ${name}`)) + 1
const nameOf = ({ stack }: Position) => {
  const line = source.split('\n')[(stack[0]?.line ?? 0) - 1]
  return / \/\/ (\w+)$/.exec(line ?? '')?.[1] ?? line?.trim()
}

describe('the debugger', () => {
  let network: TestNetwork
  let vault: Address
  let abi: Abi

  beforeAll(async () => {
    const outputSelection = { '*': { '*': ['abi', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'] } }
    const settings = { optimizer: { enabled: false }, outputSelection }
    const output = JSON.parse(
      solc.compile(JSON.stringify({ language: 'Solidity', sources: { [path]: { content: source } }, settings })),
    )
    const numbered = new Map<number, NumberedSource>([[output.sources[path].id, { path, content: source }]])
    network = await startNetwork({ callTimeout: 30 })
    const contracts = Object.entries<Compiled>(output.contracts[path]).map(([name, { evm, ...rest }]) => ({
      name,
      abi: JSON.stringify(rest.abi),
      bytecode: `0x${evm.deployedBytecode.object}`,
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
      creationBytecode: `0x${evm.bytecode.object}`,
      sourcePath: path,
      storageLayout: rest.storageLayout,
      lines: lineTableOf({ runtime: evm.deployedBytecode.sourceMap, creation: evm.bytecode.sourceMap }, numbered),
    }))
    await network.rpc('dev_importContracts', { contracts })
    const compiled: Compiled = output.contracts[path].Vault
    abi = compiled.abi
    const hash = await network.client.deployContract({ abi, bytecode: `0x${compiled.evm.bytecode.object}` })
    vault = (await network.client.getTransactionReceipt({ hash })).contractAddress as Address
  }, 120_000)
  afterAll(() => network.stop())

  const callOf = (functionName: string, ...args: unknown[]) => ({
    from: network.client.account.address,
    to: vault,
    data: encodeFunctionData({ abi, functionName, args }),
  })
  const deposit = async (amount: bigint) =>
    network.client.sendTransaction({ ...callOf('deposit', amount), gas: 500_000n } as never)
  const open = (subject: unknown) => network.rpc<Opened>('dev_debugOpen', subject)
  const go = (id: string, to: unknown, backwards?: boolean) =>
    network.rpc<Position>('dev_debugStep', id, to, backwards ?? null)
  /** The lines that a session comes to, until it goes no further. */
  async function walk({ id, position }: Opened, to: string, backwards = false): Promise<string[]> {
    const names = [nameOf(position) ?? '']
    for (let at = await go(id, to, backwards); !/start|end/.test(at.reason); at = await go(id, to, backwards))
      names.push(nameOf(at) ?? '')
    // The compiler cleans up at the head of a function.
    return names.filter((name) => !name.startsWith('function'))
  }

  it('steps into, over and out of functions and calls, forwards and back', async () => {
    const hash = await deposit(10n)
    const opened = await open(hash)
    expect(nameOf(opened.position)).toBe('bounds')
    expect(await walk(opened, 'over')).toEqual(['bounds', 'counts', 'last', 'credits', 'after'])
    const again = await open(hash)
    const inside = await walk(again, 'in')
    expect(inside.filter((name, at) => name !== inside[at - 1])).toEqual(
      [
        ['bounds', 'caps', 'doubles', 'half', 'doubles', 'bounds', 'counts', 'last', 'credits'],
        ['limit', 'balance', 'total', 'answer', 'credits', 'after'],
      ].flat(),
    )
    const half = await go(again.id, { lines: [{ file: path, line: lineOf('half') }] }, true)
    expect([half.reason, nameOf(half)]).toEqual(['line', 'half'])
    expect(half.stack.map(({ function: name, line }) => [name, line])).toEqual([
      ['Vault.half', lineOf('half')],
      ['Vault.bounded', lineOf('doubles')],
      ['Vault.deposit', lineOf('bounds')],
    ])
    expect(half.stack[2]?.arguments).toEqual([{ name: 'amount', type: 'uint256', value: '10' }])
    expect(nameOf(await go(again.id, 'out'))).toBe('doubles')
    expect(nameOf(await go(again.id, 'out', true))).toBe('bounds')
    await go(again.id, { lines: [{ file: path, line: lineOf('after') }] })
    const back = []
    for (let each = 0; each < 4; each++) back.push(nameOf(await go(again.id, 'over', true)))
    expect(back).toEqual(['credits', 'last', 'counts', 'bounds'])
    expect(await network.rpc('dev_debugClose', again.id)).toBe(true)
    await expect(go(again.id, 'in')).rejects.toThrow(/no debug session/)
  })

  it('shows calls through contracts, the machine, writes and variables at an operation', async () => {
    const { id, steps } = await open(await deposit(20n))
    const total = await go(id, { lines: [{ file: path, line: lineOf('total') }] })
    expect(total.stack).toMatchObject([
      { contract: 'Ledger', function: 'Ledger.credit', call: 1, arguments: [{}, { name: 'amount', value: '20' }] },
      { contract: 'Vault', function: 'Vault.deposit', line: lineOf('credits'), call: 0 },
    ])
    const read = (options: object) => network.rpc<Variables>('dev_debugVariables', id, options)
    const before = await read({ path: 'total' })
    await expect(read({ path: 'total'.repeat(201) })).rejects.toThrow('expected at most 1000 characters')
    const key = `balances[${network.client.account.address}]`
    const credited = await read({ path: key })
    const write = await go(id, 'write')
    expect([write.opcode, write.reason]).toEqual(['SSTORE', 'write'])
    expect((await read({ path: 'total' })).entry?.value).toBe(before.entry?.value)
    const after = await go(id, 'opcode')
    expect(after.step).toBe(write.step + 1)
    expect(after.writes[0]).toMatchObject({ slot: numberToHex(1, { size: 32 }), step: write.step })
    const value = BigInt(before.entry?.value ?? 0)
    expect((await read({ path: 'total' })).entry?.value).toBe(String(value + 20n))
    const outer = await read({ call: 0 })
    expect(outer.entries).toMatchObject([{ name: 'ledger' }, { name: 'deposits' }, { name: 'last', value: '20' }])
    await go(id, 'write', true)
    await go(id, 'write', true)
    expect(BigInt((await read({ path: key })).entry?.value ?? 0)).toBe(BigInt(credited.entry?.value ?? 0) - 20n)
    const end = await go(id, 'end')
    expect([end.step, end.opcode]).toEqual([steps - 1, 'STOP'])
    const jump = await go(id, { step: 5 })
    expect([jump.step, jump.operations.find(({ step }) => step === 5)?.opcode]).toEqual([5, jump.opcode])
  })

  it('lists the lines that have code, those that the run comes to, and operations', async () => {
    const { id, position } = await open(await deposit(20n))
    const [file, ...others] = await network.rpc<{ file: string; lines: number[]; reached: number[] }[]>(
      'dev_debugLines',
      id,
    )
    expect([file?.file, others]).toEqual([path, []])
    const [counts, caps, spins] = ['counts', 'caps', 'spins'].map(lineOf)
    expect(file?.lines).toEqual(expect.arrayContaining([counts, caps, spins]))
    expect(file?.lines).not.toContain(1)
    expect([file?.reached.includes(counts as number), file?.reached.includes(spins as number)]).toEqual([true, false])
    const some = await network.rpc<{ step: number; opcode: string }[]>('dev_debugOperations', id, position.step, 2)
    expect(some).toEqual(position.operations.filter(({ step }) => step - position.step < 2 && step >= position.step))
    expect(await network.rpc('dev_debugOperations', id, 4_000_000_000)).toEqual([])
    expect((await go(id, 'opcode', true)).step).toBe(position.step - 1)
  })

  it('stops where a call fails, and undoes what it wrote', async () => {
    const { id } = await open(await deposit(5000n))
    const failed = await go(id, 'revert')
    expect([failed.reason, failed.opcode, failed.error]).toEqual(['revert', 'REVERT', 'revert'])
    expect(failed.stack).toMatchObject([
      { function: 'Ledger.credit', line: lineOf('limit') },
      { function: 'Vault.deposit', line: lineOf('credits') },
    ])
    expect(failed.message).toBe('too much')
    expect(failed.writes).toHaveLength(2)
    const outer = await go(id, 'revert')
    expect(outer.stack).toMatchObject([{ function: 'Vault.deposit', line: lineOf('credits') }])
    expect((await go(id, { reverts: true }, true)).step).toBe(failed.step)
  })

  it('stops at writes of a slot, in calls that were not sent', async () => {
    const { id } = await open(callOf('deposit', 30n))
    const slot = { address: vault, slot: '0x1' }
    const first = await go(id, { writes: [slot] })
    const second = await go(id, { writes: [slot] })
    expect([nameOf(first), nameOf(second)]).toEqual(['counts', 'after'])
    expect((await go(id, { writes: [slot] })).reason).toBe('end')
  })

  it('stops before calls of contracts, forwards and back', async () => {
    const { id } = await open(await deposit(10n))
    const call = await go(id, 'call')
    expect([call.reason, call.opcode, nameOf(call)]).toEqual(['call', 'CALL', 'credits'])
    expect((await go(id, 'in')).stack[0]).toMatchObject({ function: 'Ledger.credit', call: 1 })
    expect((await go(id, { calls: true, writes: [{ address: vault, slot: '0x1' }] })).reason).toBe('write')
    expect((await go(id, 'call')).reason).toBe('end')
    expect((await go(id, { calls: true }, true)).step).toBe(call.step)
  })

  it('opens a transaction of 30 million gas, and steps to any of its operations in 50 ms of a processor', async () => {
    const { id, steps } = await open({ ...callOf('spin'), gas: numberToHex(30_000_000) })
    const last = await go(id, 'revert')
    expect([steps > 1_000_000, last.error, last.step]).toEqual([true, 'out of gas', steps - 1])
    expect((await go(id, 'over', true)).stack[0]?.function).toBe('Vault.spin')
    const parts = [0.99, 0.5, 0.03, 0.75, 0.25]
    const fastest = parts.map(() => Number.POSITIVE_INFINITY)
    // Of several times, the fastest one: the engine compiles and collects garbage now and then.
    for (let each = 0; each < 4; each++) {
      for (const [at, part] of parts.entries()) {
        const step = Math.floor(steps * part) + each
        const before = cpuTime()
        const there = await go(id, { step })
        fastest[at] = Math.min(fastest[at] as number, cpuTime() - before)
        expect([there.step, there.stack[0]?.function]).toEqual([step, 'Vault.spin'])
      }
    }
    expect(Math.max(...fastest)).toBeLessThan(50)
    const wanted = Array.from({ length: 100 }, (_, index) => Math.floor((steps * ((index * 37) % 100)) / 100))
    const atOnce = await Promise.all(wanted.map((step) => go(id, { step })))
    expect(atOnce.map(({ step }) => step)).toEqual(wanted)
    await network.rpc('dev_debugClose', id)
  }, 60_000)

  it('profiles 30 million gas, and finds the line where they end', async () => {
    const call = { ...callOf('spin'), gas: numberToHex(30_000_000) }
    const { lines, intrinsic } = await network.rpc<{ lines: (Entry & { gas: number })[]; intrinsic: number }>(
      'dev_getGasProfile',
      call,
    )
    expect(lines.reduce((sum, { gas }) => sum + gas, intrinsic)).toBe(30_000_000)
    expect(lines[0]).toMatchObject({ function: 'Vault.spin' })
    const [innermost] = await network.rpc<Entry[]>('dev_getStackTrace', call)
    expect(innermost).toMatchObject({ function: 'Vault.spin', message: 'out of gas' })
  }, 60_000)

  it('refuses what it cannot debug, and ends sessions with a revert of the network', async () => {
    const plain = await network.client.sendTransaction({ to: network.client.account.address, value: 1n })
    await expect(open(plain)).rejects.toThrow(/runs no code/)
    const snapshot = await network.rpc('evm_snapshot')
    const { id } = await open(await deposit(1n))
    await expect(go(id, 'sideways')).rejects.toThrow(/expected one of in, over, out/)
    await network.rpc('evm_revert', snapshot)
    await expect(go(id, 'in')).rejects.toThrow(/no debug session/)
  })

  it('has a bounded number of sessions', async () => {
    const hash = await deposit(3n)
    const opened: Opened[] = []
    await expect(
      (async () => {
        for (let each = 0; each < 40; each++) opened.push(await open(hash))
      })(),
    ).rejects.toThrow(/debug sessions in use/)
    for (const { id } of opened) await network.rpc('dev_debugClose', id)
  })
})
