import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lcovParser } from '@friedemannsommer/lcov-parser/sync'
import { lineTableOf, type NumberedSource } from '@understudy/client/artifacts'
import type { Result } from '@understudy/client/methods'
import { type Abi, type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lcovOf } from '../../src/cli/remote/lcov.ts'
import { runCommand } from '../runCommand.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Report = Result<'dev_getCoverage'>
type Code = { object: string; sourceMap: string; linkReferences: Record<string, Record<string, { start: number }[]>> }
type Compiled = { abi: Abi; evm: { bytecode: Code; deployedBytecode: Code } }

const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }

const path = 'src/Bank.sol'
/** Lines end with `// NAME`, by which tests name them. */
const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Fees {
    function rate(uint256 amount) external pure returns (uint256) {
        if (amount > 1000) return 10; // dear
        return 1; // cheap
    }
}

contract Bank {
    error TooMuch(uint256 amount);
    uint256 public immutable limit;
    uint256 public total;
    address public owner;

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner"); // guard
        _;
    }

    constructor(uint256 limit_, bool owned) {
        limit = limit_; // limited
        if (owned) owner = msg.sender; // owned
    }

    function deposit(uint256 amount) external returns (uint256) {
        if (amount > limit) revert TooMuch(amount); // over
        if (amount == 7 || amount == 8) { // lucky
            total += 100; // bonus
        } else {
            total += amount; // plain
        }
        uint256 kept = amount > 50 ? half(amount) : amount; // kept
        for (uint256 i = 0; i < amount % 3; i++) { // loop
            total++; // counts
        }
        return kept; // answer
    }

    function half(uint256 amount) internal pure returns (uint256) {
        return amount / 2; // half
    }

    function fee(uint256 amount) external pure returns (uint256) {
        return Fees.rate(amount); // fees
    }

    function close() external onlyOwner {
        total = 0; // closes
    }

    function spin(uint256 rounds) external pure returns (uint256 sum) {
        for (uint256 i = 0; i < rounds; i++) sum += i; // spins
    }

    function never() external pure returns (uint256) {
        return 42; // never
    }
}

contract Proxy {
    address immutable target;

    constructor(address target_) {
        target = target_; // target
    }

    fallback() external payable {
        (bool success, bytes memory output) = target.delegatecall(msg.data); // delegates
        require(success, "failed"); // checks
        assembly {
            return(add(output, 32), mload(output)) // returns
        }
    }
}
`
const nameOf = (line: number) => /\/\/ (\w+)$/.exec(source.split('\n')[line - 1] ?? '')?.[1] ?? `line ${line}`

function compile(settings: object): Record<string, Compiled> & { id: number } {
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } }
  const input = {
    language: 'Solidity',
    sources: { [path]: { content: source } },
    settings: { ...settings, outputSelection },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  return { ...output.contracts[path], id: output.sources[path].id }
}

/** What was reached, by the names of lines. */
function named({ files }: Report) {
  const [file] = files
  if (!file) throw new Error('Nothing is counted')
  return {
    reached: file.reachedLines.map(nameOf),
    missed: file.missedLines.map(nameOf),
    functions: Object.fromEntries(file.functions.map(({ name, isReached }) => [name, isReached])),
    branches: Object.fromEntries(
      file.branches.map(({ line, fallsThrough, jumps }) => [nameOf(line), Number(fallsThrough) + Number(jumps)]),
    ),
  }
}

describe.each([{ optimizer: { enabled: false } }, { optimizer: { enabled: true, runs: 200 } }])(
  'coverage of code compiled with %o',
  (settings) => {
    /** The optimiser lets `deposit` and `fee` return by the same instructions. */
    const sharesCode = settings.optimizer.enabled
    const withSharedCode = (lines: readonly string[]) => (sharesCode ? [...lines, 'fees'] : lines)
    const ofDeposit = ['over', 'lucky', 'plain', 'kept', 'loop', 'counts', 'answer']
    let network: TestNetwork
    let compiled: ReturnType<typeof compile>
    let library: Address
    let bank: Address
    const rpc = <T>(method: string, ...params: unknown[]) => network.rpc<T>(method, ...params)
    const report = (address?: Address) => rpc<Report>('dev_getCoverage', ...(address ? [address] : []))

    async function deploy(name: string, args: readonly unknown[] = []): Promise<Address> {
      const { abi, evm } = compiled[name] as Compiled
      const bytecode: Hex = `0x${evm.bytecode.object.replace(/__\$.{34}\$__/g, library?.slice(2) ?? '')}`
      const hash = await network.client.deployContract({ abi, bytecode, args })
      return (await network.client.getTransactionReceipt({ hash })).contractAddress as Address
    }

    const callOf = (to: Address, functionName: string, ...args: unknown[]) => ({
      from: network.client.account.address,
      to,
      data: encodeFunctionData({ abi: (compiled.Bank as Compiled).abi, functionName, args }),
    })
    const call = (to: Address, functionName: string, ...args: unknown[]) =>
      rpc<Hex>('eth_call', callOf(to, functionName, ...args), 'latest')
    const send = (to: Address, functionName: string, ...args: unknown[]) =>
      network.client.sendTransaction({ ...callOf(to, functionName, ...args), gas: 500_000n } as never)

    async function importAll(): Promise<void> {
      const numbered = new Map<number, NumberedSource>([[compiled.id, { path, content: source }]])
      const contracts = ['Fees', 'Bank', 'Proxy'].map((name) => {
        const { abi, evm } = compiled[name] as Compiled
        return {
          name,
          abi: JSON.stringify(abi),
          bytecode: `0x${evm.deployedBytecode.object}`,
          deployedBytecode: `0x${evm.deployedBytecode.object}`,
          creationBytecode: `0x${evm.bytecode.object}`,
          bytecodeLinkReferences: evm.bytecode.linkReferences,
          deployedBytecodeLinkReferences: evm.deployedBytecode.linkReferences,
          sourcePath: path,
          source,
          lines: lineTableOf({ runtime: evm.deployedBytecode.sourceMap, creation: evm.bytecode.sourceMap }, numbered),
        }
      })
      await rpc('dev_importContracts', { contracts })
    }

    async function removeImports(): Promise<void> {
      const imported = await rpc<{ projectContractId: string }[]>('dev_getImportedContracts')
      for (const { projectContractId } of imported) await rpc('dev_removeImportedContract', projectContractId)
    }

    beforeAll(async () => {
      compiled = compile(settings)
      network = await startNetwork({ workers: 1 })
      library = await deploy('Fees')
      bank = await deploy('Bank', [1000n, false])
      await importAll()
    }, 120_000)
    afterAll(() => network.stop())
    // Each test begins with nothing counted.
    beforeEach(async () => {
      await rpc('dev_startCoverage')
    })

    it('counts a constructor, and code that is imported after it ran', async () => {
      await removeImports()
      expect(await rpc('dev_startCoverage')).toMatchObject({ isRunning: true, startedAt: expect.any(String) })
      await deploy('Fees')
      await call(await deploy('Bank', [1000n, false]), 'fee', 5n)
      // The init code and the code of both.
      expect(await report()).toMatchObject({ unknownCodes: 4, contracts: [] })
      await importAll()
      const found = await report()
      expect(found).toMatchObject({ unknownCodes: 0, droppedCodes: 0 })
      expect(named(found)).toEqual({
        reached: ['dear', 'cheap', 'limited', 'owned', 'fees'],
        missed: [
          ...['guard', 'over', 'lucky', 'bonus', 'plain', 'kept', 'loop', 'counts', 'answer', 'half', 'closes'],
          ...['spins', 'never', 'target', 'delegates', 'checks', 'returns'],
        ],
        functions: {
          'Fees.rate': true,
          'Bank.onlyOwner': false,
          'Bank.constructor': true,
          'Bank.deposit': false,
          'Bank.half': false,
          'Bank.fee': true,
          'Bank.close': false,
          'Bank.spin': false,
          'Bank.never': false,
          'Proxy.constructor': false,
          'Proxy.fallback': false,
        },
        branches: { dear: 1, guard: 0, owned: 1, over: 0, lucky: 0, kept: 0, checks: 0 },
      })
    })

    it('counts calls, transactions, reverted ones, and those through a proxy', async () => {
      await call(bank, 'deposit', 10n)
      const { reached, branches } = named(await report())
      expect(reached).toEqual(withSharedCode(ofDeposit))
      expect(branches).toEqual({ dear: 0, guard: 0, owned: 0, over: 1, lucky: 1, kept: 1, checks: 0 })
      await expect(call(bank, 'deposit', 5000n)).rejects.toThrow()
      await send(bank, 'deposit', 7n)
      const proxy = await deploy('Proxy', [bank])
      await send(proxy, 'deposit', 60n)
      await expect(call(bank, 'close')).rejects.toThrow('not the owner')
      const after = named(await report())
      const ofOthers = ['dear', 'cheap', 'limited', 'owned', ...(sharesCode ? [] : ['fees'])]
      expect(after.missed).toEqual([...ofOthers, 'closes', 'spins', 'never'])
      expect(after.branches).toEqual({ dear: 0, guard: 1, owned: 0, over: 2, lucky: 2, kept: 2, checks: 1 })
    })

    it('counts what runs in worker threads, and all deployments of a contract together', async () => {
      await call(bank, 'spin', 100_000n)
      expect(network.node.services.workers().runs).toBeGreaterThan(0)
      for (const owned of [false, true]) await deploy('Bank', [5n, owned])
      const { reached, branches } = named(await report())
      expect(reached).toEqual([...withSharedCode(['limited', 'owned']), 'spins'])
      expect(branches.owned).toBe(2)
    })

    it('does not count estimates and replays', async () => {
      await call(bank, 'fee', 5n)
      const before = await report()
      await rpc('eth_estimateGas', callOf(bank, 'never'))
      await rpc('debug_traceCall', callOf(bank, 'never'), 'latest', { tracer: 'callTracer' })
      await rpc('debug_traceCall', callOf(bank, 'never'), 'latest', {})
      expect(await report()).toEqual(before)
    })

    it('answers for one contract, by the address of its code', async () => {
      await call(bank, 'fee', 5n)
      const { contracts, files } = await report(library)
      expect(contracts).toMatchObject([
        {
          name: 'Fees',
          hasLines: true,
          sourcePath: path,
          lines: { reached: 2, total: 2 },
          branches: { reached: 1, total: 2 },
          functions: { reached: 1, total: 1 },
        },
      ])
      expect(lcovOf(files)).toBe(`TN:
SF:src/Bank.sol
FN:5,Fees.rate
FNDA:1,Fees.rate
FNF:1
FNH:1
BRDA:6,0,0,0
BRDA:6,0,1,1
BRF:2
BRH:1
DA:6,1
DA:7,1
LF:2
LH:2
end_of_record
`)
    })

    it('is read by a parser of lcov files as what it is', async () => {
      await call(bank, 'fee', 5n)
      await call(bank, 'deposit', 10n)
      const folder = mkdtempSync(join(tmpdir(), 'understudy-coverage-'))
      try {
        const command = ['coverage', '--lcov', 'lcov.info', '--rpc-url', network.url]
        expect(await runCommand(command, folder).ended).toMatchObject({ code: 0 })
        const sections = lcovParser({ from: readFileSync(join(folder, 'lcov.info')) })
        const { files } = await report()
        expect(sections).toMatchObject(files.map((file) => ({ path: file.path })))
        for (const [at, { reachedLines, missedLines, functions, branches }] of files.entries()) {
          const { lines: read, functions: readFunctions, branches: readBranches } = sections[at] as (typeof sections)[0]
          const linesWith = (hit: number) => read.details.filter((each) => each.hit === hit).map(({ line }) => line)
          expect([linesWith(1), linesWith(0)]).toEqual([reachedLines, missedLines])
          expect([read.hit, read.instrumented]).toEqual([reachedLines.length, reachedLines.length + missedLines.length])
          const entered = functions.map(({ name, line, isReached }) => ({ name, line, hit: Number(isReached) }))
          expect(readFunctions.details).toEqual(entered)
          expect([readFunctions.hit, readFunctions.instrumented]).toEqual([
            functions.filter(({ isReached }) => isReached).length,
            functions.length,
          ])
          const taken = branches.flatMap(({ line, fallsThrough, jumps }, block) =>
            [fallsThrough, jumps].map((hit, branch) => ({ line, block, branch: String(branch), hit: Number(hit) })),
          )
          expect(readBranches.details).toMatchObject(taken)
          expect([readBranches.hit, readBranches.instrumented]).toEqual([
            taken.filter(({ hit }) => hit > 0).length,
            taken.length,
          ])
        }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })

    it('starts anew, and keeps what was counted when it stops', async () => {
      await call(bank, 'fee', 5n)
      await rpc('dev_startCoverage')
      await send(bank, 'deposit', 10n)
      expect(named(await report()).reached).toEqual(withSharedCode(ofDeposit))
      expect(await rpc('dev_stopCoverage')).toMatchObject({ isRunning: false })
      await call(bank, 'never')
      const found = await report()
      expect(found.isRunning).toBe(false)
      expect(named(found).missed).toContain('never')
    })
  },
)

it('is off, and says so, until it is started', async () => {
  const network = await startNetwork()
  try {
    expect(await network.rpc('dev_getCoverage')).toEqual({
      isRunning: false,
      startedAt: null,
      unknownCodes: 0,
      droppedCodes: 0,
      contracts: [],
      files: [],
    })
    await expect(network.rpc('dev_stopCoverage')).rejects.toThrow('dev_startCoverage')
  } finally {
    await network.stop()
  }
})

it('keeps the newest codes of no imported contract, and counts the others', async () => {
  const network = await startNetwork()
  try {
    await network.rpc('dev_startCoverage')
    const [batches, size] = [5, 500]
    for (let batch = 0; batch < batches; batch++) {
      // Init codes that differ, of 24 KB: more than 64 MB with their bits.
      const calls = Array.from({ length: size }, (_, at) => {
        const data = `0x61${(batch * size + at).toString(16).padStart(4, '0')}00${'5b'.repeat(24_000)}`
        return { jsonrpc: '2.0', id: at, method: 'eth_call', params: [{ data }, 'latest'] }
      })
      for (let from = 0; from < size; from += 100)
        await fetch(network.url, { method: 'POST', body: JSON.stringify(calls.slice(from, from + 100)) })
    }
    const { unknownCodes, droppedCodes } = await network.rpc<Report>('dev_getCoverage')
    expect(unknownCodes).toBeLessThanOrEqual(2000)
    expect(unknownCodes + droppedCodes).toBe(batches * size)
  } finally {
    await network.stop()
  }
}, 60_000)
