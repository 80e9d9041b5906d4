import type { Word } from '@understudy/evm'
import { artifacts, deployContract } from '@understudy/testkit'
import { type Address, getAddress, keccak256, numberToHex, pad, stringToHex, toFunctionSelector } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodeVariables } from '../../src/contracts/storageLayout/encodeVariables.ts'
import { parseStorageLayout, type StorageLayout } from '../../src/contracts/storageLayout/layout.ts'
import type { StorageSource } from '../../src/contracts/storageLayout/slots.ts'
import type { StorageQueryError } from '../../src/contracts/storageLayout/storageItem.ts'
import { readStorage, type StorageEntry } from '../../src/contracts/storageLayout/storageReader.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const { StorageShowcase, Counter } = artifacts
const alice = `0x${'a1'.repeat(20)}` as const

describe('storage by the layout of the compiler', () => {
  let network: TestNetwork
  let counter: Address
  let showcase: Address
  let layout: StorageLayout
  let rounds: number
  let keys: Record<string, readonly `0x${string}`[]> = {}

  const source: StorageSource = {
    async load(slots) {
      rounds += 1
      const { reads } = network.node.services
      const values = await Promise.all(
        slots.map((slot) => reads.loadStorage(showcase.toLowerCase() as Address, slot, 'latest')),
      )
      return new Map(
        slots.map((slot, index) => [slot, { value: values[index] ?? 0n, origin: 'local', upstreamValue: undefined }]),
      )
    },
    loadKeys: async (base, { limit, after }) =>
      (keys[base] ?? []).filter((key) => after === undefined || key > after).slice(0, limit),
  }
  const read = (path?: string, page: { limit?: number; cursor?: string } = {}) =>
    readStorage(layout, source, { path, limit: 100, cursor: undefined, ...page })
  const write = (functionName: string, ...args: unknown[]) =>
    network.client.writeContract({ address: showcase, abi: StorageShowcase.abi, functionName, args } as never)

  /** Values as a tree, by name. */
  type Tree = string | undefined | { [name: string]: Tree }
  const tree = (entries: readonly StorageEntry[]): { [name: string]: Tree } =>
    Object.fromEntries(entries.map((entry) => [entry.name, entry.parts ? tree(entry.parts.entries) : entry.value]))

  beforeEach(async () => {
    keys = {}
    network = await startNetwork()
    counter = await deployContract(network.client, Counter, [1n])
    showcase = await deployContract(network.client, StorageShowcase, [counter])
    const parsed = parseStorageLayout(StorageShowcase.storageLayout)
    if (!parsed) throw new Error('the layout was not read')
    layout = parsed
  })
  afterEach(() => network?.stop())

  it('reads every kind of variable', async () => {
    rounds = 0
    const { entries, next } = await read()
    expect(next).toBeUndefined()
    const poke = toFunctionSelector('poke()').slice(2)
    expect(tree(entries)).toEqual({
      active: 'true',
      tiny: '200',
      negative: '-2',
      owner: network.client.account.address,
      tag: '0xdeadbeef',
      supply: `1${'0'.repeat(24)}`,
      balance: '-5',
      digest: keccak256(stringToHex('digest')),
      phase: '2',
      counter: getAddress(counter),
      price: `0x${(77).toString(16).padStart(32, '0')}`,
      callback: `0x${showcase.slice(2).toLowerCase()}${poke}`,
      short: 'exactly thirty-one bytes of it!',
      long: 'a text that needs more than one slot, because it has more than thirty-one bytes; and then some',
      data: '0xc0ffee',
      origin: { x: '-1', y: '2', visible: 'true' },
      small: { '[0]': '1', '[1]': '2', '[2]': '3', '[3]': '4', '[4]': '5' },
      halves: { '[0]': '7', '[1]': '8', '[2]': '9' },
      pairs: { '[0]': { '[0]': '1', '[1]': '2' }, '[1]': { '[0]': '3', '[1]': '4' } },
      path: {
        '[0]': { x: '0', y: '0', visible: 'false' },
        '[1]': { x: '1', y: '-1', visible: 'true' },
        '[2]': { x: '2', y: '-2', visible: 'false' },
      },
      members: Object.fromEntries(
        Array.from({ length: 10 }, (_, at) => [
          `[${at}]`,
          getAddress(pad(`0x${(0x1000 + at).toString(16)}`, { size: 20 })),
        ]),
      ),
      balances: {},
      flags: {},
      points: {},
      byName: {},
      users: {},
    })
    // The variables themselves; then the elements of arrays and the bytes of long texts.
    expect(rounds).toBe(2)
  })

  it('agrees with the getters that the compiler wrote', async () => {
    for (const item of StorageShowcase.abi) {
      if (item.type !== 'function' || item.stateMutability !== 'view' || item.inputs.length > 0) continue
      if (item.outputs.length !== 1 || ['callback', 'price'].includes(item.name)) continue
      const answer = await network.client.readContract({
        address: showcase,
        abi: [item],
        functionName: item.name,
      } as never)
      expect((await read(item.name)).entry?.value, item.name).toBe(String(answer))
    }
  })

  it('encodes every kind of variable as the contract has it', async () => {
    const leaves = (entries: readonly StorageEntry[]): [string, string][] =>
      entries.flatMap(({ path, value, parts }) =>
        parts ? leaves(parts.entries) : value === undefined ? [] : [[path, value] as [string, string]],
      )
    const values = new Map([...leaves((await read()).entries), ['members.length', '30'], ['pairs.length', '2']])
    const load = async () => new Map<Word, bigint>()
    const slots = await encodeVariables(layout, values, load)
    const stored = await source.load([...slots.keys()])
    expect(slots.size).toBeGreaterThan(30)
    expect(slots).toEqual(new Map([...stored].map(([slot, { value }]) => [slot, value])))
  })

  it('keeps what else is in the slots of variables with new values', async () => {
    const load = async (wanted: readonly Word[]) =>
      new Map([...(await source.load(wanted))].map(([slot, { value }]) => [slot, value]))
    const balances = `balances[${counter}]`
    const wanted = { tiny: '7', negative: '-300', 'path[5].y': '-9', [balances]: '0xff', long: 'é' }
    const slots = await encodeVariables(layout, new Map(Object.entries(wanted)), load)
    for (const [slot, value] of slots)
      await network.rpc('dev_setStorageAt', showcase, slot, numberToHex(value, { size: 32 }))
    for (const [path, value] of Object.entries({ ...wanted, [balances]: '255', active: 'true', tag: '0xdeadbeef' }))
      expect((await read(path)).entry?.value, path).toBe(value)
    expect((await read('owner')).entry?.value).toBe(network.client.account.address)
    // The list is as long as its last element needs.
    expect((await read('path')).entry?.length).toBe(6n)
  })

  it('refuses what is no variable, or no value of it', async () => {
    const refused = [
      ['missing', '1', 'there is no variable missing'],
      ['tiny', '256', '"256" is no value of tiny (uint8)'],
      ['negative', '-40000', 'no value of negative'],
      ['tag', '0xdeadbeef00', 'no value of tag'],
      ['owner', '0x12', 'no value of owner'],
      ['active', '2', 'no value of active'],
      ['path', '1', 'path is a struct StorageShowcase.Point[]: name a part of it'],
      ['balances', '1', 'name a part of it'],
      ['small[5]', '1', 'small has no element [5]'],
      ['data', 'text', 'data is bytes'],
      ['[', '1', 'is not a path'],
    ] as const
    for (const [path, value, message] of refused)
      await expect(encodeVariables(layout, new Map([[path, value]]), async () => new Map())).rejects.toThrow(message)
  })

  it('pages through arrays', async () => {
    const first = await read('members', { limit: 25 })
    expect(first).toMatchObject({ entry: { length: 30n, type: 'address[]' }, next: '25' })
    const { entries, next } = await read('members', { limit: 25, cursor: '25' })
    expect(entries.map(({ path }) => path)).toEqual([25, 26, 27, 28, 29].map((at) => `members[${at}]`))
    expect(next).toBeUndefined()
    expect((await read('members[29]')).entry?.value).toBe(getAddress(pad('0x101d', { size: 20 })))
  })

  it('pages through variables', async () => {
    const first = await read(undefined, { limit: 20 })
    const second = await read(undefined, { limit: 20, cursor: first.next ?? '' })
    expect(first.entries).toHaveLength(20)
    expect([...first.entries, ...second.entries].map(({ name }) => name)).toEqual(
      layout.variables.map(({ label }) => label),
    )
  })

  it('lists the keys of mappings that were seen, also in mappings of mappings', async () => {
    await write('pay', alice, 5n)
    await write('flag', alice, 7, true)
    await write('put', -3, 9n)
    const slotOf = (name: string) =>
      pad(`0x${(layout.variables.find(({ label }) => label === name)?.slot ?? 0n).toString(16)}`)
    const inner = keccak256(`0x${pad(alice).slice(2)}${slotOf('flags').slice(2)}`)
    keys = {
      [slotOf('balances')]: [pad(alice)],
      [slotOf('flags')]: [pad(alice)],
      [inner]: [pad('0x7'), pad('0x8')],
      [slotOf('points')]: [`0x${'f'.repeat(63)}d`],
    }
    const checksummed = getAddress(alice)
    const { entries } = await read()
    expect(tree(entries)).toMatchObject({
      balances: { [`[${checksummed}]`]: '5' },
      flags: { [`[${checksummed}]`]: { '[7]': 'true', '[8]': 'false' } },
      points: { '[-3]': { x: '9', y: '0', visible: 'false' } },
    })
    const page = await read(`flags[${alice}]`, { limit: 1 })
    expect(page.entries.map(({ name }) => name)).toEqual(['[7]'])
    expect((await read(`flags[${alice}]`, { limit: 1, cursor: page.next ?? '' })).entries).toMatchObject([
      { name: '[8]', value: 'false' },
    ])
  })

  it('answers for any key that is asked for', async () => {
    await write('call', 'some "name"', 42n)
    await write('enrol', 3n, 'Ada', '0x12345678', 99n)
    expect((await read('byName["some \\"name\\""]')).entry).toMatchObject({
      value: '42',
      path: 'byName["some \\"name\\""]',
    })
    expect((await read('balances[0x0000000000000000000000000000000000000001]')).entry?.value).toBe('0')
    const { entries } = await read('users[3]')
    expect(tree(entries)).toEqual({
      wallet: network.client.account.address,
      score: '12',
      name: 'Ada',
      home: { x: '5', y: '-6', visible: 'true' },
      marks: { '[0]': '3', '[1]': '65535' },
      limits: {},
    })
    expect((await read('users[3].limits[0x12345678]')).entry?.value).toBe('99')
    expect((await read('users[3].marks[1]')).entry?.value).toBe('65535')
  })

  it.each([
    ['nothing', 'there is no variable nothing'],
    ['origin.z', 'origin has no member z'],
    ['members[30]', 'members has 30 elements, so there is no [30]'],
    ['supply[1]', 'supply is neither an array nor a mapping'],
    ['balances[7x]', '"7x" is not a valid key of balances (address)'],
    ['balances[', 'is not a path such as users[3].name'],
    ['', 'is not a path such as users[3].name'],
  ])('says what is wrong with the path %o', async (path, message) => {
    await expect(read(path)).rejects.toMatchObject({ message } satisfies Partial<StorageQueryError>)
  })

  it('takes no layout that is none', () => {
    for (const output of [undefined, null, {}, { storage: [{ label: 'a', slot: '0', offset: 0, type: 't_missing' }] }])
      expect(parseStorageLayout(output)).toBeUndefined()
    expect(parseStorageLayout({ storage: [], types: null })).toEqual({ variables: [], types: new Map() })
  })
})
