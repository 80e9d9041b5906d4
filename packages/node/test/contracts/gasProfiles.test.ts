import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { lineTableOf, type NumberedSource } from '@understudy/client/artifacts'
import type { Result } from '@understudy/client/methods'
import { deployUniswapV2, deployUniswapV3 } from '@understudy/testkit'
import { type Abi, type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Profile = Result<'dev_getGasProfile'>
type Code = { object: string; sourceMap: string }
type Compiled = { abi: Abi; evm: { bytecode: Code; deployedBytecode: Code } }
type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  sources: Record<string, { id: number }>
  contracts: Record<string, Record<string, Compiled>>
}
type Import = (path: string) => { contents: string }
type Log = { pc: number; op: string; gas: number; gasCost: number; depth: number; refund?: number; stack: Hex[] }

const require = createRequire(import.meta.url)
const solc = require('solc') as { compile(input: string, callbacks: { import: Import }): string }

const path = 'src/Bank.sol'
/** Lines end with `// NAME`, by which tests name them. */
const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {FixedPointMathLib} from "solady/src/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";

contract Coin is ERC20, Ownable {
    constructor() ERC20("Coin", "COIN") Ownable(msg.sender) { _mint(msg.sender, 1e24); }
    function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
}

contract Bank {
    Coin public coin = new Coin();
    uint256[] public entries;
    mapping(address => uint256) public shares;
    uint256 public flag = 1;

    function deposit(uint256 amount) external returns (uint256) {
        SafeTransferLib.safeTransferFrom(address(coin), msg.sender, address(this), amount); // pulls
        return credit(amount);
    }
    function credit(uint256 amount) internal returns (uint256 share) {
        share = FixedPointMathLib.mulWad(amount, 3e18);
        shares[msg.sender] += share; // share
        entries.push(share); // push
    }
    function fund(uint256 amount) external { coin.mint(msg.sender, amount); }
    function clear() external {
        delete entries; // clears
        flag = 0; // flag
        try this.clearAndFail() {} catch {}
    }
    function clearAndFail() external {
        flag = 2;
        flag = 1;
        shares[msg.sender] = 7;
        shares[msg.sender] = 0;
        revert("no");
    }
    function grow(uint256 words) external view returns (uint256 sum) {
        uint256[] memory list = new uint256[](words); // grows
        for (uint256 i = 0; i < words; i++) sum += twice(list[i]);
        return sum + this.small(3).length;
    }
    function twice(uint256 a) internal pure returns (uint256) { return a * 2; }
    function small(uint256 a) external pure returns (bytes memory) { return new bytes(a); }
    function recurse(uint256 a) public returns (uint256) { return a == 0 ? ++flag : recurse(a - 1) + 1; }
    function burn() external { flag = 5; while (true) {} }
    function look(address a) external view returns (uint256) { return a.balance + a.code.length + flag + flag; } // looks
    function make() external returns (address) { return address(new Coin()); }
}
`
const lineOf = (mark: string) => source.split('\n').findIndex((text) => text.endsWith(`// ${mark}`)) + 1

function compile(settings: object): { bank: Compiled; contracts: object[] } {
  const files: Record<string, string> = { [path]: source }
  const input = {
    language: 'Solidity',
    sources: { [path]: { content: source } },
    settings: { ...settings, outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } } },
  }
  const read: Import = (name) => {
    files[name] = readFileSync(new URL(`../../../../node_modules/${name}`, import.meta.url), 'utf8')
    return { contents: files[name] }
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: read })) as Output
  const failed = output.errors?.find(({ severity }) => severity === 'error')
  if (failed) throw new Error(failed.formattedMessage)
  const numbered = new Map<number, NumberedSource>(
    Object.entries(output.sources).map(([name, { id }]) => [id, { path: name, content: files[name] ?? '' }]),
  )
  const contracts = Object.entries(output.contracts[path] ?? {}).map(([name, { abi, evm }]) => ({
    name,
    abi: JSON.stringify(abi),
    bytecode: `0x${evm.deployedBytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
    creationBytecode: `0x${evm.bytecode.object}`,
    sourcePath: path,
    lines: lineTableOf({ runtime: evm.deployedBytecode.sourceMap, creation: evm.bytecode.sourceMap }, numbered),
  }))
  return { bank: output.contracts[path]?.Bank as Compiled, contracts }
}

/** Checks a profile against the operations of the same transaction. */
async function requireRight(network: TestNetwork, hash: Hex): Promise<Profile> {
  const profile = await network.rpc<Profile>('dev_getGasProfile', hash)
  const { gasUsed, status } = await network.client.getTransactionReceipt({ hash })
  const { structLogs } = await network.rpc<{ structLogs: Log[] }>('debug_traceTransaction', hash, {
    disableStack: true,
    disableStorage: true,
  })
  const { lines, calls, intrinsic, refund, others, cold } = profile
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  expect([
    profile.gasUsed,
    intrinsic - refund + others + sum(lines.map(({ gas }) => gas)),
    intrinsic - refund + sum(calls.map(({ gas }) => gas)),
    intrinsic - refund + (calls[0]?.total ?? 0),
  ]).toEqual(Array(4).fill(Number(gasUsed)))
  expect(lines.every(({ gas }) => gas > 0) && calls.every(({ gas, total }) => gas >= 0 && total >= gas)).toBe(true)
  // What SLOAD, SSTORE and reads of accounts cost says whether they were cold.
  const failing = new Set(structLogs.filter((log) => 'error' in log))
  const done = structLogs.filter((log) => !failing.has(log))
  const isColdSlot = ({ op, gasCost }: Log) =>
    (op === 'SLOAD' && gasCost === 2100) || (op === 'SSTORE' && [2200, 5000, 22_100].includes(gasCost))
  const slots = done.filter(({ op }) => op === 'SLOAD' || op === 'SSTORE')
  const counted = lines.flatMap(({ accesses }) => (accesses ? [accesses] : []))
  expect([
    sum(counted.map((accesses) => accesses.cold.slots)),
    sum(counted.map((accesses) => accesses.warm.slots)),
  ]).toEqual([slots.filter(isColdSlot).length, slots.filter((log) => !isColdSlot(log)).length])
  expect(cold.filter(({ slot }) => slot !== null)).toHaveLength(slots.filter(isColdSlot).length)
  const coldAccounts = structLogs.filter((log, index) => {
    const next = structLogs[index + 1]
    if (['BALANCE', 'EXTCODESIZE', 'EXTCODECOPY', 'EXTCODEHASH'].includes(log.op)) return log.gasCost >= 2600
    const isCall = ['CALL', 'STATICCALL', 'DELEGATECALL'].includes(log.op) && next?.depth === log.depth + 1
    return isCall && log.gasCost - next.gas >= 2500
  })
  expect(sum(counted.map((accesses) => accesses.cold.accounts))).toBe(coldAccounts.length)
  expect(profile.refundEarned).toBe(sum(lines.map((line) => line.refund)))
  expect(profile.refundEarned).toBe(status === 'success' ? (structLogs.at(-1)?.refund ?? 0) : 0)
  expect(profile.refund).toBe(Math.min(profile.refundEarned, Math.floor((profile.gasUsed + profile.refund) / 5)))
  return profile
}

describe.each([
  ['without the optimiser', { optimizer: { enabled: false } }],
  ['with the optimiser', { optimizer: { enabled: true, runs: 200 } }],
  ['through Yul, optimised', { viaIR: true, optimizer: { enabled: true, runs: 200 } }],
])('gas profiles of code compiled %s', (_, settings) => {
  let network: TestNetwork
  let snapshot: unknown
  let bank: Address
  let abi: Abi
  const viaIr = 'viaIR' in settings
  const isOptimised = settings.optimizer.enabled

  beforeAll(async () => {
    const { bank: compiled, contracts } = compile(settings)
    network = await startNetwork()
    await network.rpc('dev_importContracts', { contracts })
    abi = compiled.abi
    const hash = await network.client.deployContract({ abi, bytecode: `0x${compiled.evm.bytecode.object}` })
    bank = (await network.client.getTransactionReceipt({ hash })).contractAddress as Address
    const coin = (await network.client.readContract({ address: bank, abi, functionName: 'coin' })) as Address
    await send('fund', [10n ** 20n])
    const approval = { functionName: 'approve', args: [bank, 10n ** 30n] } as const
    await network.client.writeContract({ address: coin, abi: erc20Abi, ...approval })
    snapshot = await network.rpc('evm_snapshot')
    // A busy machine compiles for long.
  }, 120_000)
  beforeEach(async () => {
    await network.rpc('evm_revert', snapshot)
    snapshot = await network.rpc('evm_snapshot')
  })
  afterAll(() => network.stop())

  const send = (functionName: string, args: unknown[] = [], gas = 2_000_000n) =>
    network.client.sendTransaction({ to: bank, data: encodeFunctionData({ abi, functionName, args }), gas })
  const lineIn = ({ lines }: Profile, mark: string) =>
    lines.find(({ file, line }) => file === path && line === lineOf(mark)) ?? expect.fail(`${mark} has no gas`)

  it('adds up what OpenZeppelin and solady do, by line and by function', async () => {
    const first = await requireRight(network, await send('deposit', [5n]))
    const second = await requireRight(network, await send('deposit', [7n]))
    if (!viaIr) expect(lineIn(first, 'share').accesses?.cold).toEqual({ accounts: 0, slots: 1, gas: 2100 })
    expect(lineIn(first, 'share').gas - lineIn(second, 'share').gas).toBeGreaterThanOrEqual(17_100)
    const names = first.calls.map((call) => call.function)
    expect(names).toEqual(expect.arrayContaining(['SafeTransferLib.safeTransferFrom', 'Bank.credit', 'ERC20._update']))
    const update = first.calls.find((call) => call.function === 'ERC20._update')
    expect(update).toMatchObject({
      contract: 'Coin',
      file: '@openzeppelin/contracts/token/ERC20/ERC20.sol',
      memory: null,
    })
    expect(first.calls[0]).toMatchObject({ parent: null, type: 'CALL', contract: 'Bank', function: 'deposit' })
    const path = [update]
    for (let at = path[0]; at && at.parent !== null; at = path.at(-1)) path.push(first.calls[at.parent])
    expect(path.map((call) => call?.contract)).toContain('Bank')
    if (!isOptimised)
      expect(path.map((call) => call?.function)).toEqual([
        'ERC20._update',
        'ERC20._transfer',
        'ERC20.transferFrom',
        'transferFrom',
        'SafeTransferLib.safeTransferFrom',
        'Bank.deposit',
        'deposit',
      ])
    if (!viaIr)
      expect(first.cold.find(({ line }) => line === lineOf('pulls'))).toMatchObject({ account: bank.toLowerCase() })
  })

  it('says which lines earned refunds, and forgets those of what failed', async () => {
    for (const amount of [1n, 2n, 3n]) await send('deposit', [amount])
    const cleared = await requireRight(network, await send('clear'))
    expect(lineIn(cleared, 'clears').refund).toBeGreaterThanOrEqual(4 * 4800)
    expect(lineIn(cleared, 'flag').refund).toBe(4800)
    expect(cleared.refundEarned).toBe(lineIn(cleared, 'clears').refund + 4800)
    expect(cleared.refund).toBeLessThan(cleared.refundEarned)
  })

  it('compares two runs by function and by line', async () => {
    const [a, b] = [await send('deposit', [5n]), await send('grow', [3n])]
    const found = await network.rpc<Result<'dev_compareGas'>>('dev_compareGas', a, b)
    const difference = found.b.gasUsed - found.a.gasUsed
    const before = found.b.intrinsic - found.b.refund - (found.a.intrinsic - found.a.refund)
    const sum = (values: number[]) => values.reduce((total, value) => total + value, before)
    expect(sum(found.lines.map((line) => line.b - line.a))).toBe(difference)
    expect(sum(found.functions.map((each) => each.b.gas - each.a.gas))).toBe(difference)
    expect(found.functions).toContainEqual(
      expect.objectContaining({ function: 'ERC20._update', contract: 'Coin', b: { calls: 0, gas: 0 } }),
    )
    const { from, input } = await network.client.getTransaction({ hash: a })
    const call = { call: { from, to: bank, data: input, gas: '0x1e8480' } }
    const calls = await network.rpc<Result<'dev_compareGas'>>('dev_compareGas', call, call)
    expect(calls).toMatchObject({ functions: [], lines: [], a: calls.b })
  })

  it('measures memory by call and by line', async () => {
    const grown = await requireRight(network, await send('grow', [512n]))
    const [outer, inner] = grown.calls.filter(({ type }) => type !== 'FUNCTION')
    expect(outer?.memory?.bytes).toBeGreaterThan(512 * 32)
    expect(outer?.memory?.gas).toBe(
      (3 * (outer?.memory?.bytes ?? 0)) / 32 + Math.floor(((outer?.memory?.bytes ?? 0) / 32) ** 2 / 512),
    )
    expect(inner?.memory?.bytes).toBeLessThan(1000)
    const byLine = grown.lines.reduce((sum, { memoryGas }) => sum + memoryGas, 0)
    expect(byLine).toBe((outer?.memory?.gas ?? 0) + (inner?.memory?.gas ?? 0))
    if (!viaIr) expect(lineIn(grown, 'grows').memoryGas).toBeGreaterThan(byLine / 2)
    expect(grown.calls.find((call) => call.function === 'Bank.twice')?.calls ?? 0).toBe(viaIr ? 0 : 512)
  })

  it('adds up creations, recursion, accounts, and what fails', async () => {
    const looked = await requireRight(network, await send('look', ['0x00000000000000000000000000000000000000ee']))
    expect(lineIn(looked, 'looks').accesses).toMatchObject({
      cold: { accounts: 1, slots: 1 },
      warm: { accounts: 1, slots: isOptimised ? 0 : 1 },
    })
    const made = await requireRight(network, await send('make'))
    expect(made.calls.find(({ type }) => type === 'CREATE')).toMatchObject({ contract: 'Coin' })
    await requireRight(network, await send('recurse', [50n]))
    const burnt = await requireRight(network, await send('burn', [], 200_000n))
    expect([burnt.gasUsed, burnt.refundEarned]).toEqual([200_000, 0])
    const failed = await requireRight(network, await send('clearAndFail'))
    expect([failed.refund, failed.refundEarned]).toEqual([0, 0])
    expect(failed.lines.every(({ refund }) => refund === 0)).toBe(true)
    await requireRight(network, await send('deposit', [10n ** 25n]))
    await requireRight(network, await network.client.sendTransaction({ to: bank, data: '0xdeadbeef', gas: 100_000n }))
    const listed = await network.client.sendTransaction({
      to: bank,
      data: encodeFunctionData({ abi, functionName: 'recurse', args: [0n] }),
      accessList: [{ address: bank, storageKeys: [`0x${'0'.repeat(63)}3`] }],
    })
    expect((await requireRight(network, listed)).cold).toEqual([])
  })
})

it('adds up what Uniswap does', async () => {
  const network = await startNetwork()
  try {
    const [v2, v3] = [await deployUniswapV2(network.client), await deployUniswapV3(network.client)]
    for (const pool of [v2, v3])
      for (const direction of ['A to B', 'B to A'] as const) await pool.swap(10n ** 15n, direction)
    const last = Number(await network.client.getBlockNumber())
    for (let number = 1; number <= last; number++) {
      const { transactions } = await network.client.getBlock({ blockNumber: BigInt(number) })
      for (const hash of transactions) await requireRight(network, hash)
    }
  } finally {
    await network.stop()
  }
}, 60_000)
