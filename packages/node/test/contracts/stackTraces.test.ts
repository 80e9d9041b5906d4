import { createRequire } from 'node:module'
import {
  generatedCodeOf,
  type LineTable,
  lineTableOf,
  type NumberedSource,
  SyntaxTrees,
} from '@understudy/client/artifacts'
import type { Result } from '@understudy/client/methods'
import { type Abi, type Address, encodeFunctionData, type Hex, pad, parseEther, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Entry = {
  file: string | null
  line: number | null
  function: string | null
  contract: string | null
  message: string | null
}
type Profile = { gasUsed: number; intrinsic: number; refund: number; lines: (Entry & { gas: number })[] }
type Code = { object: string; sourceMap: string }
type Compiled = { abi: Abi; evm: { bytecode: Code; deployedBytecode: Code } }
type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  sources: Record<string, { id: number; ast: unknown }>
  contracts: Record<string, Record<string, Compiled>>
}
type Solc = { compile(input: string): string }

const solc = createRequire(import.meta.url)('solc') as Solc

/** Functions of which the compiler keeps no line when it optimises through Yul. */
const unmapped = new Set(['cast', 'divides'])

/** Lines that fail end with `// fails: NAME`, and those that call them with `// calls: NAME`. */
const sources: Record<string, string> = {
  'src/Base.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Ünïcödé before the code moves the bytes: "quotes" and { braces }.
error TooSmall(uint256 given, uint256 least);

library Amounts {
    function check(uint256 amount) internal pure returns (uint256) {
        require(amount != 13, "unlucky"); // fails: library
        return typed(amount);
    }

    function typed(uint256 amount) internal pure returns (uint256) {
        return amount + 1;
    }

    function reach(uint256 amount) external pure returns (uint256) {
        if (amount == 14) revert TooSmall(amount, 15); // fails: external
        return amount;
    }
}

abstract contract Base {
    address public owner = msg.sender;
    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner"); // fails: modifier
        _;
    }

    function inherited(uint256 a) internal view virtual returns (uint256) {
        require(a < 100, string.concat("too large", " {")); // fails: inherited
        return a * 2;
    }
}
`,
  'src/Failing.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "./Base.sol";

interface Other {
    function answer(uint256 a, bool b) external view returns (uint256);
}

contract Child {
    uint256 immutable number;
    constructor(uint256 number_) { // begins: constructor
        require(number_ != 7, "seven"); // fails: constructor
        number = number_;
    }

    function deep(uint256 a) external view returns (uint256) {
        return number / a; // fails: division
    }

    function burn() external pure {
        while (true) {} // fails: gas
    }
}

contract Failing is Base {
    uint256[] values;
    mapping(address => uint256) balances;
    Child child = new Child(1);
    uint8 small = 255;
    enum Colour { Red, Green }

    function plain() external pure { revert("plain"); } // fails: plain
    function bare() external { delete values; revert(); } // fails: bare
    function requireBare(uint256 a) external pure { require(a == 1); } // fails: requireBare
    function asserts(uint256 a) external pure {
        assert(a > 5); // fails: assert
    }
    function custom(uint256 a) external pure {
        if (a < 10) {
            revert TooSmall({given: a, least: 10}); // fails: custom
        }
    }
    function overflow() external {
        small += 1; // fails: overflow
    }
    function index(uint256 at) external view returns (uint256) {
        return values[at]; // fails: index
    }
    function pop() external { values.pop(); } // fails: pop
    function cast(uint256 a) external pure returns (Colour) {
        return Colour(a); // fails: cast
    }
    function internally(uint256 a) external view returns (uint256) {
        return middle(a) + 1; // calls: inherited
    }
    function middle(uint256 a) private view returns (uint256) {
        uint256 b = a + 1;
        return inherited(b) + b; // calls: middle
    }
    function libraries(uint256 a) external pure returns (uint256) {
        return Amounts.check(a); // calls: library
    }
    function guarded() external onlyOwner { small = 1; } // calls: modifier
    function divides(uint256 a) external view returns (uint256) {
        return child.deep(a); // calls: division
    }
    function creates(uint256 a) external returns (address) {
        return address(new Child(a)); // calls: constructor
    }
    function noCode(address other) external view returns (uint256) {
        return Other(other).answer(7, true); // fails: noCode
    }
    function lowLevel(address other, bytes calldata data) external {
        (bool ok, bytes memory answer) = other.call(data); // calls: lowLevel
        if (!ok) assembly { revert(add(answer, 32), mload(answer)) }
    }
    function caught(uint256 a) external view returns (uint256) {
        try child.deep(a) returns (uint256 b) { return b; } catch { revert("caught"); } // fails: caught
    }
    function runsOut() external view {
        child.burn{gas: 20000}(); // calls: gas
    }
    function loops(uint256 a) external view returns (uint256 sum) {
        for (uint256 i = 0; i < 50; i++) sum += middle(i) + Amounts.check(1);
        sum += middle(a); // calls: loops
    }
    function recurses(uint256 a) public pure returns (uint256) {
        if (a == 0) revert("the end"); // fails: recursion
        return recurses(a - 1) + 1; // calls: recursion
    }
    function overloads(uint256 a) external pure returns (uint256) {
        return overloaded(a); // calls: outer
    }
    function overloaded(uint256 a) internal pure returns (uint256) {
        return overloaded(a, 1) + 1; // calls: overload
    }
    function overloaded(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a < b + 100) revert("low"); // fails: overload
        return a;
    }
    function typed(address a, bool b) external pure returns (bool) { return b && a != address(0); } // fails: typed
    function assembled() external pure {
        assembly { mstore(0, 0x7939f424) revert(28, 4) }
    }
    function pays(address payable to) external { to.transfer(5); } // fails: pays
    function accepts() external {} // fails: accepts
    receive() external payable { require(msg.value != 3, "three"); } // fails: receive
}

contract Short {
    fallback() external {
        assembly { return(0, 8) }
    }
}

contract Refuses {
    constructor() { revert TooSmall(1, 2); } // fails: creation
}

library Direct {
    function append(uint256[] storage list) external { list.push(1); }
}
`,
}

const linesWith = new Map<string, { file: string; line: number }>()
for (const [file, source] of Object.entries(sources))
  for (const [index, text] of source.split('\n').entries()) {
    const mark = /\/\/ ((?:fails|calls|begins): \w+)$/.exec(text)?.[1]
    if (mark) linesWith.set(mark, { file, line: index + 1 })
  }
const at = (mark: string) => linesWith.get(mark) ?? expect.fail(`no line ends with // ${mark}`)

function compile(settings: object): Output {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
    settings: {
      ...settings,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'], '': ['ast'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const failed = output.errors?.find(({ severity }) => severity === 'error')
  if (failed) throw new Error(failed.formattedMessage)
  return output
}

function importedOf(output: Output, settings: object) {
  const trees = new SyntaxTrees(new Map(Object.values(output.sources).map(({ id, ast }) => [id, ast])))
  const code = generatedCodeOf(settings)
  const numbered = new Map<number, NumberedSource>(
    Object.entries(output.sources).map(([path, { id }]) => [id, { path, content: sources[path] ?? '' }]),
  )
  return Object.entries(output.contracts).flatMap(([sourcePath, contracts]) =>
    Object.entries(contracts).map(
      ([
        name,
        {
          abi,
          evm: { bytecode, deployedBytecode },
        },
      ]) => ({
        name,
        abi: JSON.stringify(abi),
        bytecode: `0x${deployedBytecode.object}`,
        deployedBytecode: `0x${deployedBytecode.object}`,
        creationBytecode: `0x${bytecode.object}`,
        sourcePath,
        lines: lineTableOf({ runtime: deployedBytecode.sourceMap, creation: bytecode.sourceMap }, numbered, undefined, {
          trees,
          code,
          contract: { file: output.sources[sourcePath]?.id ?? -1, name },
        }),
      }),
    ),
  )
}

describe.each([
  ['without the optimiser', { optimizer: { enabled: false } }],
  ['with the optimiser', { optimizer: { enabled: true, runs: 200 } }],
  ['through Yul, optimised', { viaIR: true, optimizer: { enabled: true, runs: 200 } }],
])('stack traces of code compiled %s', (_, settings) => {
  let network: TestNetwork
  let snapshot: unknown
  let failing: Address
  let abi: Abi
  let output: Output
  const viaIr = 'viaIR' in settings

  beforeAll(async () => {
    output = compile(settings)
    network = await startNetwork()
    await network.rpc('dev_importContracts', {
      contracts: importedOf(output, settings).filter(({ bytecode }) => bytecode !== '0x'),
    })
    const compiled = output.contracts['src/Failing.sol']?.Failing as Compiled
    abi = compiled.abi
    const hash = await network.client.deployContract({ abi, bytecode: `0x${compiled.evm.bytecode.object}` })
    failing = (await network.client.getTransactionReceipt({ hash })).contractAddress as Address
    snapshot = await network.rpc('evm_snapshot')
    // A busy machine compiles for long.
  }, 120_000)
  beforeEach(async () => {
    await network.rpc('evm_revert', snapshot)
    snapshot = await network.rpc('evm_snapshot')
  })
  afterAll(() => network.stop())

  const dataOf = (functionName: string, args: unknown[]) => encodeFunctionData({ abi, functionName, args })
  const traceOf = (data: Hex, fields: object = {}) =>
    network.rpc<Entry[]>('dev_getStackTrace', { from: network.client.account.address, to: failing, data, ...fields })
  const trace = (functionName: string, ...args: unknown[]) => traceOf(dataOf(functionName, args))

  it.each<[name: string, args: unknown[], message: string, marks: string[]]>([
    ['plain', [], 'plain', ['fails: plain']],
    ['bare', [], 'reverted without a reason', ['fails: bare']],
    ['requireBare', [2n], 'reverted without a reason', ['fails: requireBare']],
    ['asserts', [1n], 'assert(false)', ['fails: assert']],
    ['custom', [3n], 'TooSmall(3, 10)', ['fails: custom']],
    ['overflow', [], 'arithmetic underflow or overflow', ['fails: overflow']],
    ['index', [4n], 'out-of-bounds access of an array or bytesN', ['fails: index']],
    ['pop', [], 'out-of-bounds array access; popping on an empty array', ['fails: pop']],
    ['cast', [9n], 'enum overflow', ['fails: cast']],
    ['internally', [200n], 'too large {', ['fails: inherited', 'calls: middle', 'calls: inherited']],
    ['libraries', [13n], 'unlucky', ['fails: library', 'calls: library']],
    ['divides', [0n], 'division or modulo by zero', ['fails: division', 'calls: division']],
    ['creates', [7n], 'seven', ['fails: constructor', 'calls: constructor']],
    [
      'noCode',
      ['0x00000000000000000000000000000000000000aa'],
      'called 0x00000000000000000000000000000000000000aa, which has no code',
      ['fails: noCode'],
    ],
    ['caught', [0n], 'caught', ['fails: caught']],
    ['runsOut', [], 'out of gas', ['fails: gas', 'calls: gas']],
    ['loops', [200n], 'too large {', ['fails: inherited', 'calls: middle', 'calls: loops']],
  ])('shows the lines of %s', async (name, args, message, marks) => {
    const entries = await trace(name, ...args)
    expect(entries[0]?.message).toBe(message)
    const locations = entries.map(({ file, line }) => ({ file, line }))
    // Functions that the compiler moved into others have no call.
    if (viaIr && unmapped.has(name))
      expect(entries[0]).toMatchObject({ file: 'src/Failing.sol', contract: expect.anything() })
    else if (viaIr) expect(locations[0]).toEqual(at(marks[0] as string))
    else expect(locations).toEqual(marks.map(at))
  })

  it('shows modifiers, delegated code, and who called', async () => {
    const guarded = await traceOf(dataOf('guarded', []), { from: '0x00000000000000000000000000000000000000bb' })
    expect(guarded[1]).toMatchObject({ ...at('calls: modifier'), function: 'Failing.guarded', message: null })
    // Each once: the function that was called is not added where the map names it.
    expect(new Set(guarded.map((entry) => entry.function)).size).toBe(guarded.length)
    expect(guarded[0]).toMatchObject({ ...at('fails: modifier'), message: 'not the owner', function: 'Base.onlyOwner' })
    const inner = dataOf('plain', [])
    const outer = await trace('lowLevel', failing, inner)
    expect(outer.map(({ line }) => line)).toEqual([at('fails: plain').line, at('calls: lowLevel').line])
    expect(outer.map(({ message }) => message)).toEqual(['plain', null])
  })

  it('names what the dispatcher refuses', async () => {
    expect(await traceOf('0xdeadbeef')).toMatchObject([
      { message: 'Failing has no function with the selector 0xdeadbeef, and no fallback function' },
    ])
    expect(await traceOf(dataOf('accepts', []), { value: '0x1' })).toMatchObject([
      { ...at('fails: accepts'), message: 'accepts is not payable', function: 'Failing.accepts' },
    ])
    expect((await traceOf('0x', { value: '0x3' }))[0]).toMatchObject({ ...at('fails: receive'), message: 'three' })
  })

  it('says what a contract refused, was answered, or could not do', async () => {
    const selector = dataOf('typed', [failing, true]).slice(0, 10) as Hex
    for (const data of [selector, `${selector}${'00'.repeat(63)}02`] as Hex[])
      expect((await traceOf(data))[0]).toMatchObject({
        message: 'typed was called with arguments that its parameters do not allow',
        ...at('fails: typed'),
      })
    expect(await traceOf(dataOf('assembled', []))).toMatchObject([{ message: 'TransferFromFailed()' }])
    expect(await trace('pays', '0x00000000000000000000000000000000000000aa')).toMatchObject([
      { ...at('fails: pays'), message: 'insufficient balance' },
    ])
    const recursion = await trace('recurses', 3n)
    expect(recursion[0]).toMatchObject({ ...at('fails: recursion'), message: 'the end' })
    const overloads = (await trace('overloads', 3n)).map(({ line }) => line)
    const marks = ['fails: overload', ...(viaIr ? [] : ['calls: overload', 'calls: outer'])]
    expect(overloads.slice(0, marks.length)).toEqual(marks.map((mark) => at(mark).line))
    if (!viaIr) expect(recursion.slice(1).map(({ line }) => line)).toEqual(Array(3).fill(at('calls: recursion').line))
  })

  it('shows what other contracts and their creation say', async () => {
    const contracts = (name: string) => output.contracts['src/Failing.sol']?.[name] as Compiled
    const codeOf = (name: string): Hex => `0x${contracts(name).evm.bytecode.object}`
    const deploy = async (name: string) => {
      const hash = await network.client.deployContract({ abi: contracts(name).abi, bytecode: codeOf(name) })
      return (await network.client.getTransactionReceipt({ hash })).contractAddress as Address
    }
    const failedCreation = { to: undefined, gas: '0x100000' }
    expect(await traceOf(codeOf('Refuses'), failedCreation)).toMatchObject([
      { contract: 'Refuses', message: 'TooSmall(1, 2)', ...at('fails: creation') },
    ])
    expect((await traceOf(codeOf('Short'), { ...failedCreation, value: '0x1' }))[0]).toMatchObject({
      contract: 'Short',
      message: 'the constructor is not payable',
    })
    expect((await traceOf(codeOf('Child'), { ...failedCreation, value: '0x1' }))[0]).toMatchObject({
      ...at('begins: constructor'),
      message: 'the constructor is not payable',
      function: 'Child.constructor',
    })
    const [short, direct] = [await deploy('Short'), await deploy('Direct')]
    expect((await traceOf('0x12', { to: short, value: '0x1' }))[0]?.message).toBe(
      'the fallback function is not payable',
    )
    const append = toFunctionSelector('append(uint256[] storage)')
    if (!viaIr)
      expect((await traceOf(`${append}${'00'.repeat(32)}`, { to: direct }))[0]?.message).toBe(
        'the library Direct was called directly',
      )
    const answer = await trace('noCode', short)
    if (!viaIr)
      expect(answer[0]).toMatchObject({
        ...at('fails: noCode'),
        message: `${short.toLowerCase()} returned 8 bytes, fewer than expected`,
      })
  })

  it('shows those of transactions, and none of what succeeds', async () => {
    const hash = await network.client.sendTransaction({ to: failing, data: dataOf('divides', [0n]), gas: 300_000n })
    const entries = await network.rpc<Entry[]>('dev_getStackTrace', hash)
    expect(entries[0]).toMatchObject(
      viaIr
        ? { file: 'src/Failing.sol', function: 'Child.deep', contract: 'Child' }
        : { ...at('fails: division'), function: 'Child.deep', contract: 'Child' },
    )
    expect(entries.at(-1)).toMatchObject({ contract: 'Failing', message: null })
    const fine = await network.client.sendTransaction({ to: failing, value: parseEther('1') })
    expect(await network.rpc('dev_getStackTrace', fine)).toEqual([])
  })

  it('says where two runs part, and on which value', async () => {
    const from = network.client.account.address
    const call = { from, to: failing, data: dataOf('pop', []) }
    const length = pad('0x1')
    const stateDiff = { [pad('0x1')]: length, [pad('0x2')]: length }
    const found = await network.rpc<Result<'dev_compareTransactions'>>(
      'dev_compareTransactions',
      { call },
      { call, stateOverrides: { [failing]: { stateDiff } } },
    )
    expect([found.a.status, found.b.status]).toEqual(['failed', 'success'])
    expect(found.read).toMatchObject({
      operation: 'SLOAD',
      key: pad('0x1'),
      a: pad('0x0'),
      b: length,
      contract: 'Failing',
    })
    if (!viaIr) expect(found.read).toMatchObject(at('fails: pop'))
    expect(found.firstDifference?.before?.operation).toBe('JUMPI')
    expect(found.firstDifference?.a?.pc).not.toBe(found.firstDifference?.b?.pc)
    expect(found.slots).toContainEqual({ address: failing.toLowerCase(), slot: pad('0x1'), a: null, b: pad('0x0') })

    const hash = await network.client.sendTransaction({ to: failing, data: dataOf('guarded', []), gas: 300_000n })
    const same = await network.rpc<Result<'dev_compareTransactions'>>('dev_compareTransactions', hash, hash)
    expect(same).toMatchObject({ firstDifference: null, read: null, slots: [], a: same.b })
    const other = await network.rpc<Result<'dev_compareTransactions'>>('dev_compareTransactions', hash, {
      call: { from, to: failing, data: dataOf('plain', []), gas: '0x100000' },
    })
    expect(other.read).toMatchObject({ operation: 'CALLDATALOAD', key: pad('0x0') })
  })

  it('divides all gas among lines', async () => {
    const sha256 = '0x0000000000000000000000000000000000000002'
    const hash = await network.client.sendTransaction({ to: failing, data: dataOf('creates', [5n]), gas: 500_000n })
    const { gasUsed } = await network.client.getTransactionReceipt({ hash })
    const from = network.client.account.address
    const subjects = [
      hash,
      ...[
        dataOf('loops', [1n]),
        dataOf('runsOut', []),
        dataOf('lowLevel', [sha256, '0x1234']),
        dataOf('caught', [0n]),
        '0xdeadbeef',
      ].map((data) => ({ from, to: failing, data, gas: '0x100000' })),
      { from, to: failing, value: '0x5' },
    ]
    const profiles = await Promise.all(subjects.map((each) => network.rpc<Profile>('dev_getGasProfile', each)))
    for (const profile of profiles) {
      const sum = profile.lines.reduce((total, { gas }) => total + gas, profile.intrinsic - profile.refund)
      expect([sum, profile.lines.every(({ gas }) => gas > 0)]).toEqual([profile.gasUsed, true])
    }
    const [creation, loops, runsOut] = profiles
    expect(creation?.gasUsed).toBe(Number(gasUsed))
    expect(creation?.intrinsic).toBeGreaterThan(21_000)
    // The new contract's code costs 200 gas for each byte.
    expect(creation?.lines[0]).toMatchObject({ contract: 'Child', file: 'src/Failing.sol' })
    expect(runsOut?.lines[0]).toMatchObject({ contract: 'Child', ...(viaIr ? {} : at('fails: gas')) })
    expect(loops?.lines).toContainEqual(expect.objectContaining({ ...at('fails: inherited'), contract: 'Failing' }))
  })
})

describe('tables of lines', () => {
  it('ignore what maps have wrong', () => {
    const source = new Map<number, NumberedSource>([
      [0, { path: 'a.sol', content: 'contract A {\n function f() {}\n}' }],
    ])
    const table = (runtime: string) => lineTableOf({ runtime }, source) as LineTable
    expect(table('14:10:0:-').runtime).toBe('0:2:0:-::-2')
    for (const wrong of ['999999:5:0', '-1:-1:-1', '1e99:0:0', 'a:b:c:d:e:f', '0:99999:0', '0:1:7', ''])
      expect(lineTableOf({ runtime: wrong }, source)?.runtime ?? '-1:0:-1').toMatch(/^-1:0:-1/)
  })
})
