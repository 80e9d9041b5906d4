import { lineTableOf, type NumberedSource } from '@understudy/client/artifacts'
import { cpuTime } from '@understudy/testkit'
import { type Abi, type Address, encodeFunctionData, type Hex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileSource } from '../compileSource.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const path = 'src/Till.sol'
const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Till {
    uint256 total;

    function pay(uint256 amount) external {
        total += checked(amount);
    }

    function checked(uint256 amount) internal pure returns (uint256) {
        require(amount < 10, "too much");
        return amount;
    }
}
`
const { Till } = compileSource(path, source)
if (!Till) throw new Error('the contract was not compiled')
const { abi, bytecode, imported } = Till
const lines = imported.lines ?? { files: [], functions: [], runtime: '' }

type Entry = { file: string | null; line: number | null; contract: string | null; message: string | null }
type Opened = { id: string; position: { stack: Entry[] } }

let network: TestNetwork
let till: Address
beforeAll(async () => {
  network = await startNetwork()
}, 60_000)
afterAll(() => network.stop())

const dataOf = (functionName: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi: abi as Abi, functionName, args })

/** Imports the contract with fields that are wrong, deploys it, and sends one payment to it. */
async function importWith(fields: object): Promise<Hex> {
  await network.rpc('dev_importContracts', { contracts: [{ ...imported, ...fields }] })
  const created = await network.client.deployContract({ abi, bytecode })
  till = (await network.client.getTransactionReceipt({ hash: created })).contractAddress as Address
  return network.client.sendTransaction({ to: till, data: dataOf('pay', 3n) })
}

/** What every method that reads sources answers about a failure, and about a payment. */
async function readAll(payment: Hex) {
  const failed = { to: till, data: dataOf('pay', 11n) }
  const stack = await network.rpc<Entry[]>('dev_getStackTrace', failed)
  const profile = await network.rpc<{ gasUsed: number; intrinsic: number; refund: number; lines: { gas: number }[] }>(
    'dev_getGasProfile',
    payment,
  )
  expect(profile.lines.reduce((sum, { gas }) => sum + gas, profile.intrinsic - profile.refund)).toBe(profile.gasUsed)
  const { id } = await network.rpc<Opened>('dev_debugOpen', payment)
  for (const to of ['in', 'over', 'write', 'end', 'out']) await network.rpc('dev_debugStep', id, to)
  await network.rpc('dev_debugStep', id, { lines: [{ file: path, line: 8 }] }, true)
  const variables = await network.rpc<{ isKnown: boolean; entries: { name: string; value: string | null }[] }>(
    'dev_debugVariables',
    id,
  )
  await network.rpc('dev_debugClose', id)
  const history = await network.rpc<{ items: (Entry & { after: Hex })[] }>('dev_getSlotHistory', till, pad('0x0'), {
    lines: true,
  })
  const sources = await network.rpc<{ files: { path: string; content: string }[] }[]>('dev_getContractSources', till)
  const error = await network.rpc('dev_callWithoutOverrides', failed).catch((thrown) => thrown)
  expect(error).toMatchObject({ cause: { data: { kind: 'EXECUTION_REVERTED' } } })
  return { stack, variables, history: history.items, sources }
}

describe('lines that are wrong', () => {
  const wholeMap = (entry: string) => Array(lines.runtime.split(';').length).fill(entry).join(';')

  it.each<[what: string, runtime: string]>([
    ['lines beyond the file', wholeMap('0:999999:0:-')],
    ['files and functions beyond the lists', wholeMap('7:3:99:-')],
    ['negative numbers', wholeMap('-5:-5:-5:-')],
    ['numbers that are too large', wholeMap('99999999999999999999:1e308:0x7fffffffffffffff:i')],
    ['jumps into functions that never return', wholeMap('0:3:-2:i')],
    ['jumps out of functions that were never entered', wholeMap('0:3:-2:o')],
    ['no numbers', wholeMap('NaN:Infinity::what')],
    ['text that is no map', 'not a map at all \u0000 {}[]'],
    ['more entries than the code has', ';'.repeat(4_000_000)],
    ['an entry of a million fields', ':'.repeat(1_000_000)],
  ])('are read as unknown: %s', async (_, runtime) => {
    const payment = await importWith({ lines: { ...lines, runtime, creation: runtime } })
    const { stack, variables, history } = await readAll(payment)
    expect(stack[0]).toMatchObject({ contract: 'Till', message: 'too much' })
    expect(stack.length).toBeLessThanOrEqual(1000)
    expect(variables.entries).toMatchObject([{ name: 'total' }])
    expect(history).toHaveLength(1)
  })

  it('are those of the map, whatever the files are called', async () => {
    const names = [
      '../../etc/passwd',
      '<img src=x onerror=alert(1)>.sol',
      '\u001b[2J\u0007\u202egnp.sol',
      'x'.repeat(1000),
    ]
    for (const name of names) {
      const payment = await importWith({ lines: { ...lines, files: [name] }, sourcePath: name })
      const { stack, sources } = await readAll(payment)
      expect(stack[0]).toMatchObject({ file: name, line: 12, message: 'too much' })
      expect(sources).toMatchObject([{ files: [{ path: name, content: source }] }])
    }
  })

  it('are refused where they are too many or too long', async () => {
    const refused = (wrong: object) =>
      expect(network.rpc('dev_importContracts', { contracts: [{ ...imported, ...wrong }] })).rejects.toMatchObject({
        code: -32602,
        details: expect.stringMatching(/contracts\[0\] \(Till\)\.(lines|sourcePath|storageLayout)/),
      })
    await refused({ lines: { ...lines, files: Array(10_000).fill('a.sol') } })
    await refused({ lines: { ...lines, files: ['x'.repeat(1001)] } })
    await refused({ lines: { ...lines, functions: Array(5000).fill('x'.repeat(1000)) } })
    await refused({ lines: { ...lines, runtime: ';'.repeat(4_000_001) } })
    await refused({ lines: { ...lines, runtime: 5 } })
    await refused({ sourcePath: 'x'.repeat(1001) })
    await refused({ storageLayout: 'a text' })
  })
})

describe('sources that are wrong', () => {
  it.each<[what: string, fields: object, files: { content: string }[] | undefined]>([
    ['missing', { source: undefined, sourcePath: undefined, lines: undefined }, undefined],
    ['those of another contract', { source: 'contract Other {}' }, [{ content: 'contract Other {}' }]],
    ['10 MB', { source: '/'.repeat(10_000_000) }, [{ content: '/'.repeat(10_000_000) }]],
  ])('are returned as they are: %s', async (_, fields, files) => {
    // What an earlier push of the same code had would be kept.
    for (const { projectContractId } of await network.rpc<{ projectContractId: string }[]>('dev_getImportedContracts'))
      await network.rpc('dev_removeImportedContract', projectContractId)
    const { stack, sources } = await readAll(await importWith(fields))
    expect(stack[0]).toMatchObject({ contract: 'Till', message: 'too much' })
    expect(sources[0]?.files).toEqual(files && [expect.objectContaining(files[0])])
  })
})

describe('storage layouts that are wrong', () => {
  const layoutOf = (types: object, more: object = {}) => ({
    storage: [{ label: 'total', slot: '0', offset: 0, type: 't', ...more }],
    types,
  })
  const inplace = (label: string, more: object) => ({ encoding: 'inplace', label, numberOfBytes: '32', ...more })
  const member = (type: string) => ({ label: 'x', slot: '0', offset: 0, type })
  const chain = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [
      `t${index || ''}`,
      inplace('struct', { members: [member(`t${index + 1}`)] }),
    ]),
  )

  it.each<[what: string, layout: object]>([
    ['a type that contains itself', layoutOf({ t: inplace('struct A', { members: [member('t')] }) })],
    [
      'types that contain each other',
      layoutOf({
        t: inplace('struct A', { members: [member('u')] }),
        u: inplace('struct B[3]', { base: 't' }),
      }),
    ],
    ['types that are not described', layoutOf({})],
    ['values of no bytes', layoutOf({ t: inplace('uint0', { numberOfBytes: '0' }) })],
    ['values of more bytes than a slot has', layoutOf({ t: inplace('uint256', { numberOfBytes: '99999999' }) })],
    ['sizes without end', layoutOf({ t: inplace('uint256', { numberOfBytes: '9'.repeat(400) }) })],
    ['names of 100 000 characters', layoutOf({ t: inplace('uint256', {}) }, { label: 'x'.repeat(100_000) })],
    ['nonsense', { nodes: [{ nodeType: 'ContractDefinition', nodes: [null] }], storage: 'none' }],
  ])('are not used: %s', async (_, storageLayout) => {
    const { stack, variables } = await readAll(await importWith({ storageLayout }))
    expect(stack[0]).toMatchObject({ contract: 'Till', message: 'too much' })
    expect(variables).toMatchObject({ isKnown: false, entries: [] })
  })

  it.each<[what: string, layout: object]>([
    ['structs that are nested 5000 deep', layoutOf({ ...chain, t5000: inplace('uint256', {}) })],
    [
      'an array of itself',
      layoutOf({ t: { encoding: 'dynamic_array', label: 'T[]', numberOfBytes: '32', base: 't' } }),
    ],
    [
      'a mapping to itself',
      layoutOf({
        t: { encoding: 'mapping', label: 'mapping', numberOfBytes: '32', key: 'k', value: 't' },
        k: inplace('uint256', {}),
      }),
    ],
    [
      'an array of 10^78 elements',
      layoutOf({
        t: inplace(`uint8[${'9'.repeat(78)}]`, { base: 'k', numberOfBytes: '9'.repeat(80) }),
        k: inplace('uint8', { numberOfBytes: '1' }),
      }),
    ],
    ['a slot beyond the last', layoutOf({ t: inplace('uint256', {}) }, { slot: '9'.repeat(78) })],
  ])('are read as far as they go: %s', async (_, storageLayout) => {
    const { variables } = await readAll(await importWith({ storageLayout }))
    expect(variables).toMatchObject({ isKnown: true, entries: [{ name: 'total' }] })
  })

  it('are refused where they are too large', async () => {
    const label = 'x'.repeat(1_000_001)
    await expect(
      network.rpc('dev_importContracts', { contracts: [{ ...imported, storageLayout: layoutOf({}, { label }) }] }),
    ).rejects.toMatchObject({ code: -32602, details: expect.stringMatching(/contracts\[0\]\.storageLayout/) })
  })
})

describe('maps of a compiler that are wrong', () => {
  it('make lines of what can be read, of a source of 10 MB in some seconds', () => {
    const functions = 'function f(uint256 a) internal { { } }\n'
    const content = `contract A {\n${functions.repeat(250_000)}}`
    const sources = new Map<number, NumberedSource>([[0, { path: 'a.sol', content }]])
    const entries = Array.from({ length: 24_000 }, (_, index) => `${index * 400}:1:0:-`)
    const before = cpuTime()
    const table = lineTableOf({ runtime: entries.join(';') }, sources)
    expect(table?.runtime.split(';')).toHaveLength(24_000)
    expect(table?.functions).toEqual(['A.f'])
    expect(cpuTime() - before).toBeLessThan(10_000)
  })

  it.each([
    ['braces without end', '{'.repeat(1_000_000)],
    ['functions within functions', 'function f() {'.repeat(300_000)],
    ['comments and strings that do not end', `contract A { string s = "${'\\"'.repeat(500_000)}`],
    ['text that is no source', '\u0000\ufffe'.repeat(500_000)],
  ])('make lines of what can be read, of %s', (_, content) => {
    const sources = new Map<number, NumberedSource>([[0, { path: 'a.sol', content }]])
    const runtime = Array.from({ length: 5000 }, (_, index) => `${index * 100}:1:0:i`).join(';')
    const before = cpuTime()
    expect(lineTableOf({ runtime }, sources)?.runtime).toMatch(/^0:1:/)
    expect(cpuTime() - before).toBeLessThan(10_000)
  })
})
