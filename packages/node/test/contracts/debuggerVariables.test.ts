import type { CompiledContract } from '@understudy/client/artifacts'
import { type Address, encodeFunctionData, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileProject } from '../compiledProject.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

type Value = {
  name: string
  role: string
  value: string | null
  problem: string | null
  parts: { entries: Value[] } | null
}
type Locals = { problem: string | null; entries: Value[] }
type Node = { [field: string]: unknown }

const path = 'contracts/Book.sol'
/** Lines end with `// NAME`, by which tests name them. */
const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

type Price is uint128;
enum Side { Buy, Sell }

contract Book {
    struct Maker { uint8 rank; string name; }
    struct Order { address owner; Side side; Maker maker; uint256[] amounts; Price price; }

    uint256 public total = 2;
    mapping(uint256 => Maker) private makers;

    modifier atLeast(uint256 least) {
        uint256 twice = least * 2;
        require(twice > 0); // guards
        _;
    }

    function submit(Order calldata order, bytes calldata data, int24[] calldata ticks, bytes4 tag)
        external
        atLeast(total)
        returns (uint256 sum, string memory note)
    {
        Maker memory copy = order.maker;
        for (uint256 i = 0; i < ticks.length; i++) {
            int24 tick = ticks[i];
            sum += uint256(int256(tick < 0 ? -tick : tick)); // adds
        }
        Maker storage maker = makers[sum];
        (maker.rank, maker.name) = (copy.rank, copy.name); // keeps
        note = string.concat(copy.name, "!");
        try this.half(sum) returns (uint256 part) {
            sum += part; // tried
        } catch {
            sum = 0;
        }
        sum = grown(order.amounts, maker, sum) + data.length; // grows
        tag;
    }

    function grown(uint256[] memory list, Maker storage maker, uint256 start) private returns (uint256 all) {
        uint256 total = start; // shadows
        { uint256 gone = 1; total += gone; }
        function (uint256) external returns (uint256) call = this.half;
        for (uint256 i; i < list.length; ++i) total += list[i];
        maker.rank += 1; // ranks
        start = call(4);
        all = total; // all
    }

    function half(uint256 number) external pure returns (uint256) {
        return number / 2; // half
    }
}
`
const lineOf = (name: string) => source.split('\n').findIndex((text) => text.endsWith(`// ${name}`)) + 1
/** Values by their names; those with parts as objects. */
const shown = (values: readonly Value[]): Record<string, unknown> =>
  Object.fromEntries(
    values.map(({ name, value, problem, parts }) => [name, problem ?? value ?? shown(parts?.entries ?? [])]),
  )

describe('local variables in the debugger', () => {
  let network: TestNetwork
  let to: Address
  let id: string

  beforeAll(async () => {
    network = await startNetwork()
  }, 60_000)
  afterAll(() => network.stop())

  /** Imports what was compiled, deploys it, and opens a call of `submit`. */
  async function open(
    settings: object = {},
    { change, edit }: { change?: (tree: Node) => void; edit?: (contract: CompiledContract) => CompiledContract } = {},
  ): Promise<void> {
    const project = await compileProject({ [path]: source }, settings, ({ sources }) => {
      change?.(sources[path]?.ast as Node)
    })
    const { contracts } = project
    await network.rpc('dev_importContracts', { contracts: edit ? contracts.map(edit) : contracts })
    const { abi, bytecode } = project.deployable('Book')
    const hash = await network.client.deployContract({ abi, bytecode, args: [] })
    to = getAddress((await network.client.getTransactionReceipt({ hash })).contractAddress as Address)
    const order = { owner: to, side: 1, maker: { rank: 5, name: 'hello' }, amounts: [1n, 2n, 3n], price: 77n }
    const args = [order, '0x010203', [-5, 6], '0xaabbccdd']
    const data = encodeFunctionData({ abi, functionName: 'submit', args })
    id = (await network.rpc<{ id: string }>('dev_debugOpen', { to, data })).id
  }
  const run = (name: string) => network.rpc('dev_debugStep', id, { lines: [{ file: path, line: lineOf(name) }] })
  const read = async (options: object = {}) =>
    (await network.rpc<{ locals: Locals }>('dev_debugVariables', id, options)).locals
  const locals = async (options?: object) => shown((await read(options)).entries)

  const maker = { rank: '5', name: 'hello' }
  const passed = () => ({
    order: { owner: to, side: '1', maker, amounts: { '[0]': '1', '[1]': '2', '[2]': '3' }, price: '77' },
    data: '0x010203',
    ticks: { '[0]': '-5', '[1]': '6' },
    tag: '0xaabbccdd',
  })

  it('reads them by type, where they are in scope', async () => {
    await open()
    await run('guards')
    expect(await locals()).toEqual({ least: '2', twice: '4' })
    await run('adds')
    expect(await locals()).toEqual({ ...passed(), sum: '0', note: '', copy: maker, i: '0', tick: '-5' })
    await run('adds')
    expect(await locals()).toMatchObject({ sum: '5', i: '1', tick: '6' })
    await run('keeps')
    expect(await locals()).toEqual({ ...passed(), sum: '11', note: '', copy: maker, maker: { rank: '0', name: '' } })
    await run('half')
    expect(await locals()).toMatchObject({ number: '11' })
    await run('tried')
    expect(await locals()).toMatchObject({ part: '5', note: 'hello!', maker })
    await run('shadows')
    const inner = { list: { '[0]': '1', '[1]': '2', '[2]': '3' }, maker, start: '16', all: '0' }
    expect(await locals()).toEqual(inner)
    expect(await locals({ level: 1 })).toEqual({ ...passed(), sum: '16', note: 'hello!', copy: maker, maker })
    await run('ranks')
    expect(await locals()).toMatchObject({ ...inner, total: '23' })
    // A local variable hides the state variable of its name.
    expect(await locals({ path: 'total' })).toEqual({ total: '23' })
    expect(await locals({ path: 'maker.name' })).toEqual({ name: 'hello' })
    expect(await locals({ path: 'order.maker.rank', level: 1 })).toEqual({ rank: '5' })
    expect(await locals({ path: 'list', limit: 2 })).toEqual({ list: { '[0]': '1', '[1]': '2' } })
    expect(await locals({ path: 'list', limit: 2, cursor: '2' })).toEqual({ list: { '[2]': '3' } })
    await expect(read({ path: 'list[3]' })).rejects.toThrow(/list has 3 elements/)
    await expect(read({ path: 'maker.age' })).rejects.toThrow(/maker has no member age/)
    await run('half')
    expect(await locals({ level: 1 })).toMatchObject({ start: '16', maker: { rank: '6', name: 'hello' } })
    await run('all')
    expect(await locals()).toMatchObject({ start: '2', total: '23', all: '0' })
  }, 60_000)

  it('knows the arguments of optimised code that nothing is assigned to, and says so of the others', async () => {
    await open({ optimizer: { enabled: true } })
    await run('ranks')
    const list = { '[0]': '1', '[1]': '2', '[2]': '3' }
    const unknown = 'not known in optimised code'
    const all = await locals()
    expect(all).toMatchObject({ list, start: unknown, all: unknown, total: unknown })
    expect(await locals({ level: 1 })).toMatchObject({ ...passed(), sum: unknown, note: unknown })
  }, 60_000)

  it('knows none in code that was made through Yul', async () => {
    await open({ viaIR: true })
    await run('ranks')
    expect(new Set(Object.values(await locals()))).toEqual(new Set(['not known in optimised code']))
  }, 60_000)

  it('shows the arguments of a call by its ABI without a syntax tree', async () => {
    await open({}, { change: (tree) => delete tree.nodes })
    await run('adds')
    expect((await read()).problem).toMatch(/not known/)
    await open({}, { edit: ({ lines, ...rest }) => ({ ...rest, lines: lines && { ...lines, locals: undefined } }) })
    await run('adds')
    const { problem, entries } = await read()
    expect(problem).toMatch(/imported without its syntax tree.*forge build --build-info/)
    expect(entries).toMatchObject([{ name: 'order' }, { name: 'data', value: '0x010203' }, { name: 'ticks' }, {}])
  }, 60_000)

  it('shows no value where a table is wrong, and refuses one that is not a tree', async () => {
    type Table = NonNullable<NonNullable<CompiledContract['lines']>['locals']>
    const edited = (edit: (table: Table) => Table) => (contract: CompiledContract) => {
      const { lines } = contract
      return lines?.locals ? { ...contract, lines: { ...lines, locals: edit(lines.locals) } } : contract
    }
    const loop = edited((table) => ({ ...table, variables: table.variables.map((each) => ({ ...each, parent: 5 })) }))
    await expect(open({}, { edit: loop })).rejects.toThrow(/locals.variables: each parent must be before its variable/)

    // Types that contain themselves, and pointers that point nowhere.
    const members = Array.from({ length: 100 }, (_, at) => ({ name: `m${at}`, type: 0 }))
    const knot = edited((table) => ({
      ...table,
      types: table.types.map(({ label }) => ({ kind: 'struct' as const, label, members })),
      variables: table.variables.map((each, at) => ({
        ...each,
        location: at % 2 === 0 ? ('memory' as const) : ('calldata' as const),
      })),
    }))
    await open({}, { edit: knot })
    await run('grows')
    for (const { value, parts, problem } of (await read()).entries) {
      expect(value).toBeNull()
      expect(parts !== null || /^not known/.test(problem ?? '')).toBe(true)
    }
    // Functions that are put into each other without end.
    const circle = edited((table) => ({
      ...table,
      lowestConstructor: 20_000,
      uses: table.variables
        .flatMap((_, at, all) => all.map((__, above): [number, number] => [at, above]))
        .slice(0, 20_000),
    }))
    await open({}, { edit: circle })
    await run('guards')
    expect((await read()).problem).toMatch(/^not known/)
    const swapped = edited((table) => ({
      ...table,
      variables: table.variables.map((each) => ({ ...each, location: 'memory' as const })),
    }))
    await open({}, { edit: swapped })
    await run('grows')
    expect(await locals({ path: 'tag' })).toEqual({ tag: expect.stringMatching(/^not known/) })
  }, 60_000)
})
