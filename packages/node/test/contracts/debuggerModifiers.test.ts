import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  stringToHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompiledProject, compileProject } from '../compiledProject.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Value = {
  name: string
  value: string | null
  problem: string | null
  parts: { entries: Value[] } | null
}
type Locals = { problem: string | null; entries: Value[] }

const path = 'contracts/Top.sol'
/** Lines end with `// NAME`, by which tests name them. */
const source = `// SPDX-License-Identifier: MIT
pragma solidity >=0.5.0;

contract Base {
    uint256 public level = start(7);
    mapping(uint256 => uint256) internal kept;

    modifier scaled(uint256 factor, uint256[2] memory pair) virtual {
        uint256 other = factor + pair[0];
        _;
        level += other;
    }

    modifier logged(bytes32 tag) {
        uint256 seen = level; // logs
        _;
        seen += 1; // logged
        require(tag != 0); // tagged
    }

    constructor(uint256 base, string memory label) public logged("base") {
        uint256 twice = base * 2; // doubles
        level = twice + bytes(label).length; // bases
    }

    function start(uint256 number) internal pure returns (uint256) {
        uint256 next = number + 1; // starts
        return next;
    }
}

contract Middle is Base {
    constructor(uint8 small) public Base(uint256(small) + 1, "abc") {
        int16 minus = -int16(uint16(small));
        kept[uint256(small)] = minus < 0 ? 1 : 2; // keeps
    }
}

contract Top is Middle {
    address public owner;

    modifier scaled(uint256 factor, uint256[2] memory pair) override {
        uint256 own = factor + pair[1]; // scales
        _;
        level += own; // scaled
    }

    constructor(address who, uint256[] memory list) public Middle(uint8(list.length)) scaled(9, [uint256(1), 2]) {
        uint256 sum;
        for (uint256 i = 0; i < list.length; i++) {
            sum += list[i]; // sums
        }
        owner = who; // owns
        level += added(sum, 5); // adds
    }

    function added(uint256 a, uint256 b) internal scaled(a, [b, b]) returns (uint256 out) {
        out = a + b; // adding
    }

    function run(uint256 amount, bytes calldata data)
        external
        scaled(amount, [uint256(3), 4])
        logged("run")
        returns (uint256 result)
    {
        uint256 inside = amount + data.length; // counts
        result = inside; // results
    }

    function again() external logged("one") logged("two") {
        level = 3; // again
    }
}
`
const lineOf = (name: string) => source.split('\n').findIndex((text) => text.endsWith(`// ${name}`)) + 1
/** Values by their names; those with parts as objects. */
const shown = (values: readonly Value[]): Record<string, unknown> =>
  Object.fromEntries(
    values.map(({ name, value, problem, parts }) => [name, problem ?? value ?? shown(parts?.entries ?? [])]),
  )
const tagOf = (text: string) => stringToHex(text, { size: 32 })

/** The same source as each compiler takes it. */
function sourceFor(compiler: string): string {
  return /-0\.5/.test(compiler) ? source.replaceAll(/ (virtual|override)\b/g, '') : source
}

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork()
}, 60_000)
afterAll(() => network.stop())

let project: CompiledProject
let id: string
const list = [1n, 2n, 3n]
const constructorOf = () => ({
  who: getAddress(network.client.account.address),
  list: { '[0]': '1', '[1]': '2', '[2]': '3' },
})

async function compile(compiler: string, settings: object = {}): Promise<void> {
  project = await compileProject({ [path]: sourceFor(compiler) }, settings, undefined, compiler)
  await network.rpc('dev_importContracts', { contracts: project.contracts })
}
async function deploy(): Promise<{ hash: Hex; to: Address }> {
  const { abi, bytecode } = project.deployable('Top')
  const data = encodeDeployData({ abi, bytecode, args: [network.client.account.address, list] })
  const hash = await network.client.sendTransaction({ data, gas: 5_000_000n } as never)
  return { hash, to: (await network.client.getTransactionReceipt({ hash })).contractAddress as Address }
}
const open = async (subject: unknown) => {
  id = (await network.rpc<{ id: string }>('dev_debugOpen', subject)).id
}
const openCall = (to: Address, functionName: string, args: unknown[] = []) =>
  open({ to, data: encodeFunctionData({ abi: project.deployable('Top').abi, functionName, args }) })
const run = (name: string) => network.rpc('dev_debugStep', id, { lines: [{ file: path, line: lineOf(name) }] })
const read = async (options: object = {}) =>
  (await network.rpc<{ locals: Locals }>('dev_debugVariables', id, options)).locals
async function locals(name: string, options?: object): Promise<unknown> {
  if (name) expect(await run(name)).toMatchObject({ reason: 'line' })
  const { problem, entries } = await read(options)
  return problem ?? shown(entries)
}

describe.each(['solc-0.5.16', 'solc-0.6.6', 'solc-0.8.24', 'solc'])('variables of code by %s', (compiler) => {
  beforeAll(() => compile(compiler), 120_000)

  it('are known in constructors, inherited ones, and their modifiers', async () => {
    const { hash } = await deploy()
    await open(hash)
    expect(await locals('starts')).toEqual({ number: '7' })
    // The constructor of Base runs first, while the arguments of the others are on the stack.
    expect(await locals('logs')).toEqual({ tag: tagOf('base') })
    expect(await locals('doubles')).toEqual({ base: '4', label: 'abc' })
    expect(await locals('bases')).toEqual({ base: '4', label: 'abc', twice: '8' })
    expect(await locals('logged')).toEqual({ tag: tagOf('base'), seen: '8' })
    expect(await locals('keeps')).toEqual({ small: '3', minus: '-3' })
    expect(await locals('scales')).toEqual({ factor: '9', pair: { '[0]': '1', '[1]': '2' } })
    expect(await locals('sums')).toEqual({ ...constructorOf(), sum: '0', i: '0' })
    expect(await locals('owns')).toEqual({ ...constructorOf(), sum: '6' })
    expect(await locals('', { path: 'list[2]' })).toEqual({ '[2]': '3' })
    // A function that the constructor calls, with the same modifier.
    expect(await locals('scales')).toEqual({ factor: '6', pair: { '[0]': '5', '[1]': '5' } })
    expect(await locals('', { level: 1 })).toEqual({ ...constructorOf(), sum: '6' })
    expect(await locals('adding')).toEqual({ a: '6', b: '5', out: '0' })
    expect(await locals('scaled')).toEqual({ factor: '6', pair: { '[0]': '5', '[1]': '5' }, own: '11' })
    expect(await locals('scaled')).toEqual({ factor: '9', pair: { '[0]': '1', '[1]': '2' }, own: '11' })
  }, 60_000)

  it('are known in modifiers of functions, and in functions within them', async () => {
    const { to } = await deploy()
    await openCall(to, 'run', [10n, '0x0102'])
    const pair = { '[0]': '3', '[1]': '4' }
    expect(await locals('scales')).toEqual({ factor: '10', pair })
    expect(await locals('logs')).toEqual({ tag: tagOf('run') })
    expect(await locals('counts')).toEqual({ amount: '10', data: '0x0102', result: '0' })
    expect(await locals('results')).toEqual({ amount: '10', data: '0x0102', result: '0', inside: '12' })
    const level = hexToBigInt((await network.client.getStorageAt({ address: to, slot: '0x0' })) as Hex)
    expect(await locals('logged')).toEqual({ tag: tagOf('run'), seen: String(level) })
    expect(await locals('scaled')).toEqual({ factor: '10', pair, own: '14' })
    expect(await locals('', { path: 'pair[1]' })).toEqual({ '[1]': '4' })
  }, 60_000)

  it('are said to be unknown in a modifier that a function has twice', async () => {
    const { to } = await deploy()
    await openCall(to, 'again')
    // Where it begins.
    expect(await locals('')).toMatch(/^not known: the modifier is used more than once/)
    expect(await locals('again')).toEqual({})
  }, 60_000)
})

describe.each([
  ['solc-0.5.16', { optimizer: { enabled: true } }],
  ['solc', { optimizer: { enabled: true } }],
  ['solc', { optimizer: { enabled: true }, viaIR: true }],
])('variables of code by %s with %o', (compiler, settings) => {
  it('are said to be unknown in constructors and modifiers', async () => {
    await compile(compiler, settings)
    const { hash, to } = await deploy()
    await open(hash)
    const unknown = 'not known in optimised code'
    expect(await locals('doubles')).toMatchObject({ base: unknown, label: unknown })
    // Through Yul, the other lines are not left.
    if ('viaIR' in settings) return
    expect(await locals('owns')).toMatchObject({ who: unknown, list: unknown })
    await openCall(to, 'run', [10n, '0x0102'])
    expect(await locals('logs')).toEqual({ tag: unknown })
    expect(await locals('counts')).toMatchObject({ amount: '10', data: '0x0102', result: unknown })
  }, 120_000)
})
