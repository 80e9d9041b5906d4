import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  type ExplorerStandIn,
  startAnvil,
  startExplorer,
  type TestClient,
  testAccounts,
} from '@understudy/testkit'
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  pad,
  parseEther,
  stringToHex,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const { Counter, PlainToken, Collectible, Factory, Reverter, Eip1967Proxy, StorageShowcase } = artifacts
const lower = (address: Address) => address.toLowerCase() as Address
const chainId = 424_242
const [user, other] = [testAccounts[3].address, testAccounts[4].address]

type Page<Item> = { items: Item[]; next: string | null }
type Item = Record<string, unknown> & { blockNumber: number; transactionHash: Hex }

describe('dashboards', () => {
  let anvil: Anvil
  let explorer: ExplorerStandIn
  let network: TestNetwork
  let client: TestClient
  /** On the live chain. */
  let counter: Address
  let token: Address
  let collectible: Address
  let proxy: Address
  /** Counters that only their own tests use, and a token that nothing uses. */
  const theirs: Address[] = []
  let unused: Address

  const start = () =>
    startNetwork({
      forkUrls: [anvil.url],
      explorerUrl: explorer.etherscanUrl,
      explorerKey: 'KEY',
      publicExplorers: false,
    })
  const idOf = async (input: object): Promise<string> => {
    const added = await network.rpc<Record<string, { id: string }>>('dev_addWorkspace', input)
    const found = added.wallet ?? added.mainnetProjectContract ?? added.projectContract
    return found?.id ?? ''
  }
  const read = <T = Page<Item>>(what: string, id: string, options?: object) =>
    network.rpc<T>(`dev_getWorkspace${what}`, id, ...(options ? [options] : []))
  const increment = (to: Address) =>
    client.sendTransaction({ to, data: encodeFunctionData({ abi: Counter.abi, functionName: 'increment' }) })

  beforeAll(async () => {
    explorer = await startExplorer({ chainId, key: 'KEY' })
    anvil = await startAnvil({ chainId })
    const live = await connectClient(anvil.url)
    counter = await deployContract(live, Counter, [7n])
    token = await deployContract(live, PlainToken, ['Token', 'TOK', parseEther('1000')])
    collectible = await deployContract(live, Collectible)
    proxy = await deployContract(live, Eip1967Proxy, [counter])
    await live.writeContract({ address: token, abi: PlainToken.abi, functionName: 'transfer', args: [user, 500n] })
    for (let count = 0; count < 2; count++) theirs.push(await deployContract(live, Counter, [7n]))
    unused = await deployContract(live, PlainToken, ['Token', 'TOK', 1n])
    for (const address of [counter, ...theirs]) explorer.verify(address, { name: 'Counter', abi: Counter.abi })
    network = await start()
    // Another account than the live chain's deployer: its contracts get other addresses.
    client = await connectClient(network.url, testAccounts[3])
  })
  afterAll(async () => {
    await network?.stop()
    await explorer?.stop()
    await anvil?.stop()
  })

  describe('of a contract of the live chain', () => {
    let [address, another]: [Address, Address] = [zeroAddress, zeroAddress]
    let id: string
    /** Uses a counter; returns its workspace's id. */
    async function used(address: Address): Promise<string> {
      const added = await idOf({ name: 'Their counter', address })
      await increment(address)
      await client.writeContract({ address, abi: Counter.abi, functionName: 'setNumber', args: [41n] })
      await increment(address)
      return added
    }
    beforeAll(async () => {
      ;[address = zeroAddress, another = zeroAddress] = theirs
      id = await used(address)
      await read('Overview', id)
    })

    it('ask the explorer once, when its ABI is wanted', async () => {
      const asked = () => explorer.requests.filter((request) => request.address === lower(another))
      const id = await used(another)
      expect(asked()).toEqual([])
      const overview = await read<Record<string, Record<string, unknown>>>('Overview', id)
      expect(overview).toMatchObject({
        address: lower(another),
        account: {
          balance: '0',
          local: { balance: false, nonce: false, code: false },
          upstream: { nonce: '1' },
          followed: false,
          overrides: 0,
        },
        contract: {
          name: 'Counter',
          source: 'etherscan',
          code: 'upstream',
          explorer: { status: 'verified', problem: null },
          proxy: null,
          selectors: [],
        },
        activity: { transactions: 3, callsTo: 3, callsBy: 0, failedCallsTo: 0, events: 2, transfers: 0, limit: 10_000 },
      })
      expect(overview.contract?.abi).toEqual(Counter.abi)
      await read('Overview', id)
      expect(asked()).toEqual([{ api: 'etherscan', address: lower(another), key: 'KEY' }])
    })

    it('answer the ABI and the sources that the explorer publishes', async () => {
      expect(await network.rpc('dev_getContractAbi', address)).toMatchObject({ name: 'Counter', abi: Counter.abi })
      expect(await network.rpc('dev_getContractSources', address)).toEqual([
        {
          address: lower(address),
          name: 'Counter',
          origin: 'etherscan',
          compiler: '0.8.30+commit.73712a01',
          files: [{ path: 'Counter.sol', content: 'contract Counter {}' }],
        },
      ])
      expect(await network.rpc('dev_getContractSources', other)).toEqual([])
    })

    it('list transactions, newest first, page by page', async () => {
      const all = await read('Transactions', id)
      expect(all.items).toMatchObject([
        {
          contract: 'Counter',
          function: { name: 'increment', args: [] },
          from: lower(user),
          to: lower(address),
          status: 'success',
        },
        { function: { signature: 'setNumber(uint256)', args: [{ type: 'uint256', value: '41' }] } },
        { function: { name: 'increment' } },
      ])
      expect(all.next).toBeNull()
      const first = await read('Transactions', id, { limit: 2 })
      const second = await read('Transactions', id, { limit: 2, cursor: first.next })
      expect([...first.items, ...second.items]).toEqual(all.items)
      expect(second.next).toBeNull()
      const [newest, middle, oldest] = all.items
      const between = await read('Transactions', id, { fromBlock: middle?.blockNumber, toBlock: middle?.blockNumber })
      expect(between).toEqual({ items: [middle], next: null })
      const receipt = await client.getTransactionReceipt({ hash: newest?.transactionHash as Hex })
      expect(newest).toMatchObject({ gasUsed: receipt.gasUsed.toString(), blockNumber: Number(receipt.blockNumber) })
      expect(await read('Transactions', id, { toBlock: (oldest?.blockNumber ?? 0) - 1 })).toEqual({
        items: [],
        next: null,
      })
    })

    it('list calls and events, decoded, filtered by method, event and outcome', async () => {
      const { items } = await read('Calls', id, { method: 'setNumber' })
      expect(items).toMatchObject([
        { depth: 0, from: lower(user), function: { args: [{ value: '41' }] }, outcome: 'succeeded' },
      ])
      expect((await read('Calls', id, { method: 'setNumber(uint256)' })).items).toEqual(items)
      expect((await read('Calls', id, { outcome: 'failed' })).items).toEqual([])
      const events = await read('Events', id)
      expect(events.items).toHaveLength(2)
      const { event } = events.items[0] as { event: { name: string; signature: string } } & Item
      expect((await read('Events', id, { event: event.name })).items.length).toBeGreaterThan(0)
      expect((await read('Events', id, { event: event.signature, limit: 1 })).items).toEqual(events.items.slice(0, 1))
    })

    it('measure the functions, and list those that were never called', async () => {
      await network.rpc('dev_addFunctionOverride', {
        contractAddress: address,
        functionAbi: 'function number() view returns (uint256)',
        returnValues: ['5'],
      })
      const methods = await read<Record<string, unknown>[]>('Methods', id)
      const gas = (await read('Calls', id, { method: 'increment' })).items
        .map(({ gasUsed }) => Number(gasUsed))
        .sort((a, b) => a - b)
      expect(methods).toMatchObject([
        {
          name: 'increment',
          calls: 2,
          reverts: 0,
          gas: { p50: String(gas[0]), p95: String(gas[1]), max: String(gas[1]) },
        },
        { name: 'setNumber', calls: 1 },
        { name: 'number', calls: 0, gas: null, lastBlock: null, overridden: true, stateMutability: 'view' },
      ])
    })

    it('show the slots that were written here, and what the live chain has instead', async () => {
      const value = (word: bigint) => pad(`0x${word.toString(16)}`)
      const storage = await read<Record<string, unknown>>('Storage', id)
      expect(storage).toMatchObject({
        layout: null,
        entries: [{ path: value(0n), value: value(42n), origin: 'local', upstreamValue: value(7n) }],
      })
      await network.rpc('dev_followSlots', address, [0])
      expect(await read('Storage', id, { path: '0' })).toMatchObject({
        entry: { value: value(7n), origin: 'followed', upstreamValue: null },
      })
      await network.rpc('dev_unfollowSlots', address, [0])
    })
  })

  it('show what stands behind a proxy of the live chain', async () => {
    explorer.verify(proxy, { name: 'Eip1967Proxy', abi: Eip1967Proxy.abi })
    const id = await idOf({ name: 'Proxy', address: proxy })
    await increment(proxy)
    expect(await read('Overview', id)).toMatchObject({
      contract: {
        name: 'Eip1967Proxy',
        proxy: {
          kind: 'eip1967',
          implementations: [{ address: lower(counter), name: 'Counter', source: 'etherscan' }],
        },
      },
    })
    expect((await read('Calls', id)).items).toMatchObject([{ function: { name: 'increment' } }])
    expect((await read('Events', id)).items).toMatchObject([{ event: { args: [{}, {}] } }])
  })

  it('fall back to the selectors of the code when it is not verified', async () => {
    const id = await idOf({ name: 'Unused', address: unused })
    const selectors = expect.arrayContaining(['0xa9059cbb', '0x70a08231'])
    expect(await read('Overview', id)).toMatchObject({
      contract: { name: null, source: 'bytecode', abi: [], selectors, explorer: { status: 'unverified' } },
    })
    expect(await read('Methods', id)).toContainEqual(
      expect.objectContaining({ selector: '0xa9059cbb', name: null, calls: 0 }),
    )
  })

  it('fall back to the selectors of the code when no explorer answers', async () => {
    // A network of its own, because it asks an explorer that failed less often.
    const separate = await start()
    type Added = { mainnetProjectContract: { id: string } }
    const item = { name: 'Collectible', address: collectible }
    const { mainnetProjectContract } = await separate.rpc<Added>('dev_addWorkspace', item)
    explorer.trouble('down')
    try {
      expect(await separate.rpc('dev_getWorkspaceOverview', mainnetProjectContract.id)).toMatchObject({
        contract: { source: 'bytecode', explorer: { status: 'unavailable', problem: 'etherscan answered HTTP 503' } },
      })
    } finally {
      explorer.trouble(undefined)
      await separate.stop()
    }
  })

  it('show what a wallet moved, and what it has now', async () => {
    const id = await idOf({ name: 'User', address: user })
    await client.writeContract({ address: token, abi: PlainToken.abi, functionName: 'transfer', args: [other, 120n] })
    await client.writeContract({ address: collectible, abi: Collectible.abi, functionName: 'mint', args: [user] })
    await client.writeContract({ address: collectible, abi: Collectible.abi, functionName: 'mint', args: [other] })
    const hash = await client.sendTransaction({ to: other, value: 5n })
    const { items } = await read('Transfers', id)
    expect(items).toMatchObject([
      { kind: 'native', token: null, from: lower(user), to: lower(other), amount: '5', transactionHash: hash },
      { kind: 'erc721', token: lower(collectible), to: lower(user), amount: '1' },
      { kind: 'erc20', token: lower(token), from: lower(user), to: lower(other), amount: '120' },
    ])
    expect((await read('Transfers', id, { kind: 'erc20' })).items).toEqual([items[2]])
    expect((await read('Transfers', id, { token: collectible })).items).toEqual([items[1]])
    const { tokenId } = items[1] as unknown as { tokenId: string }
    const assets = await read<Record<string, unknown>>('Assets', id)
    expect(assets).toEqual({
      ether: (await client.getBalance({ address: user })).toString(),
      items: [
        {
          token: lower(token),
          kind: 'erc20',
          name: 'Token',
          symbol: 'TOK',
          decimals: 18,
          balance: '380',
          items: [],
        },
        {
          token: lower(collectible),
          kind: 'erc721',
          name: 'Collectible',
          symbol: 'COLL',
          decimals: null,
          balance: '1',
          items: [{ tokenId, amount: '1' }],
        },
      ].sort((a, b) => (a.token < b.token ? -1 : 1)),
      next: null,
    })
    const first = await read<Page<unknown>>('Assets', id, { limit: 1 })
    const second = await read<Page<unknown>>('Assets', id, { limit: 1, cursor: first.next })
    expect([...first.items, ...second.items]).toEqual(assets.items)
    // The calls of a wallet are those that it made; its transfers of a token are listed at the token, too.
    expect((await read('Calls', id, { limit: 1 })).items).toMatchObject([
      { from: lower(user), to: lower(other), value: '5' },
    ])
    const tokenId20 = await idOf({ name: 'Token', address: token })
    expect((await read('Transfers', tokenId20)).items).toMatchObject([{ kind: 'erc20', amount: '120' }])
    const own = await deployContract(client, PlainToken, ['Own', 'OWN', 9n])
    const ownId = await idOf({ name: 'Own', address: own, abi: JSON.stringify(PlainToken.abi) })
    expect((await read('Transfers', ownId)).items).toMatchObject([{ token: lower(own), amount: '9' }])
    // A mint is in the lists of the token, of its recipient and of the zero address.
    const [mint] = (await read('Transfers', ownId)).items
    const zeroId = await idOf({ name: 'Zero', address: zeroAddress })
    for (const holder of [id, zeroId]) expect((await read('Transfers', holder, { token: own })).items).toEqual([mint])
  })

  it('say why calls failed', async () => {
    const address = await deployContract(client, Reverter)
    const id = await idOf({ name: 'Reverter', address, abi: JSON.stringify(Reverter.abi) })
    const send = (functionName: 'withCustomError' | 'attemptInside', args: readonly unknown[]) =>
      client.sendTransaction({
        to: address,
        data: encodeFunctionData({ abi: Reverter.abi, functionName, args } as never),
        gas: 200_000n,
      })
    await send('attemptInside', [])
    await send('withCustomError', [7n])
    const revert = {
      name: 'Refused',
      reason: `Refused(${user}, 7, as asked)`,
      args: [{ value: user }, { value: '7' }, { value: 'as asked' }],
    }
    expect((await read('Calls', id, { outcome: 'failed' })).items).toMatchObject([
      { function: { name: 'withCustomError' }, depth: 0, outcome: 'failed', returned: null, revert },
      { function: { name: 'attempt', args: [{ value: 'true' }] }, depth: 1, revert: { reason: 'attempt failed' } },
    ])
    expect((await read('Transactions', id, { limit: 2 })).items).toMatchObject([
      { status: 'failed', function: { args: [{ name: 'amount', value: '7' }] }, revert },
      { status: 'success', revert: null },
    ])
    expect(await read('Methods', id)).toContainEqual(expect.objectContaining({ name: 'attempt', calls: 1, reverts: 1 }))
  })

  it('follow what a factory creates, with several deployments and versions', async () => {
    const contract = (name: string, artifact: { abi: unknown; deployedBytecode: Hex }) => ({
      name,
      abi: JSON.stringify(artifact.abi),
      bytecode: artifact.deployedBytecode,
    })
    await network.rpc('dev_importContracts', { contracts: [contract('Child', artifacts.Child)] })
    const factory = await deployContract(client, Factory)
    const create = { address: factory, abi: Factory.abi } as const
    await client.writeContract({ ...create, functionName: 'create', args: [1n] })
    await client.writeContract({ ...create, functionName: 'create2', args: [2n, pad('0x1')] })
    const [child] = (
      await network.rpc<{ id: string; name: string; deployments: number }[]>('dev_getWorkspaces')
    ).filter(({ name }) => name === 'Child')
    expect(child).toMatchObject({ deployments: 2 })
    const id = child?.id ?? ''
    const history = await read<{ deployments: { address: Address }[]; versions: unknown[] }>('History', id)
    expect(history).toMatchObject({ versions: [{ number: 1, hasBytecode: true, added: [] }], next: null })
    const first = await read<{ deployments: unknown[]; next: string }>('History', id, { limit: 1 })
    const second = await read<{ deployments: unknown[] }>('History', id, { limit: 1, cursor: first.next })
    expect([...first.deployments, ...second.deployments]).toEqual(history.deployments)
    for (const { address } of history.deployments)
      expect(await read('Overview', id, { address })).toMatchObject({
        address,
        contract: { name: 'Child', source: 'import' },
      })
    await expect(read('Overview', id, { address: token })).rejects.toMatchObject({ code: -32602 })
    const abi = JSON.stringify([...artifacts.Child.abi, { type: 'event', name: 'Grown', inputs: [] }])
    await network.rpc('dev_importContracts', { contracts: [{ ...contract('Child', artifacts.Child), abi }] })
    expect(await read('History', id)).toMatchObject({
      versions: [{ number: 2, added: ['event Grown()'], removed: [] }, {}],
    })
  })

  it('read storage by the layout of an import, with the keys of mappings that transactions used', async () => {
    const contract = {
      name: 'StorageShowcase',
      abi: JSON.stringify(StorageShowcase.abi),
      bytecode: StorageShowcase.deployedBytecode,
      creationBytecode: StorageShowcase.bytecode,
      storageLayout: StorageShowcase.storageLayout,
    }
    await network.rpc('dev_importContracts', { contracts: [contract] })
    const address = await deployContract(client, StorageShowcase, [counter])
    const write = (functionName: string, ...args: unknown[]) =>
      client.writeContract({ address, abi: StorageShowcase.abi, functionName, args } as never)
    await write('pay', other, 5n)
    await write('pay', user, 6n)
    await write('flag', other, 7, true)
    await write('put', -3, 9n)
    await write('enrol', 3n, 'Ada', '0x12345678', 99n)
    const id = await idOf({ name: 'Showcase', address })
    type Entry = { name: string; value: string | null; parts: { entries: Entry[]; next: string | null } | null }
    const shown = ({ value, parts }: Entry): unknown =>
      parts ? Object.fromEntries(parts.entries.map((entry) => [entry.name, shown(entry)])) : value
    const storage = await read<{ layout: { contract: string }; entries: Entry[] }>('Storage', id)
    expect(storage.layout.contract).toBe('StorageShowcase')
    const tree = Object.fromEntries(storage.entries.map((entry) => [entry.name, shown(entry)]))
    expect(tree).toMatchObject({
      active: 'true',
      owner: user,
      counter: getAddress(counter),
      small: { '[4]': '5' },
      balances: { [`[${user}]`]: '6', [`[${other}]`]: '5' },
      flags: { [`[${other}]`]: { '[7]': 'true' } },
      points: { '[-3]': { x: '9' } },
      users: {
        '[3]': {
          wallet: user,
          name: 'Ada',
          marks: { '[0]': '3', '[1]': '65535' },
          limits: { '[0x12345678]': '99' },
        },
      },
    })
    const page = await read<{ entries: Entry[]; next: string | null }>('Storage', id, { path: 'balances', limit: 1 })
    const rest = await read<{ entries: Entry[]; next: string | null }>('Storage', id, {
      path: 'balances',
      limit: 1,
      cursor: page.next,
    })
    expect([...page.entries, ...rest.entries].map(({ value }) => value).sort()).toEqual(['5', '6'])
    expect(rest.next).toBeNull()
    await expect(read('Storage', id, { path: 'nothing' })).rejects.toMatchObject({ code: -32602 })
  })

  it('read what is behind a proxy by its implementation: functions and storage, also right after an upgrade', async () => {
    const contract = {
      name: 'Counter',
      abi: JSON.stringify(Counter.abi),
      bytecode: Counter.deployedBytecode,
      storageLayout: Counter.storageLayout,
    }
    type Imported = { contracts: { projectContractId: string; projectContractVersionId: string }[] }
    const { contracts } = await network.rpc<Imported>('dev_importContracts', { contracts: [contract] })
    const implementation = await deployContract(client, Counter, [1n])
    const address = await deployContract(client, Eip1967Proxy, [implementation])
    await increment(address)
    const id = await idOf({ name: 'Local proxy', address, abi: JSON.stringify(Eip1967Proxy.abi) })
    expect((await read('Calls', id, { method: 'increment' })).items).toMatchObject([
      { function: { name: 'increment' } },
    ])
    expect(await read('Storage', id, { path: 'number' })).toMatchObject({
      layout: { contract: 'Counter', versionId: contracts[0]?.projectContractVersionId },
      entry: { type: 'uint256', value: '1', origin: 'local', upstreamValue: null },
    })
    const slot = `0x${(BigInt(keccak256(stringToHex('eip1967.proxy.implementation'))) - 1n).toString(16)}`
    const next = await deployContract(client, Reverter)
    await network.rpc('dev_setStorageAt', address, slot, pad(next))
    expect(await read('Overview', id)).toMatchObject({
      contract: { source: 'manual', proxy: { kind: 'eip1967', implementations: [{ address: lower(next) }] } },
    })
    // The counter of the live chain has the same code.
    await network.rpc('dev_removeImportedContract', contracts[0]?.projectContractId)
  })

  it('show of a diamond the functions that it takes of each facet', async () => {
    const [increments] = Counter.abi.filter((item) => item.type === 'function' && item.name === 'increment')
    const facets = [{ facetAddress: counter, functionSelectors: [toFunctionSelector(increments as never)] }]
    const address = await deployContract(client, artifacts.Diamond, [facets])
    const id = await idOf({ name: 'Diamond', address, abi: JSON.stringify(artifacts.Diamond.abi) })
    const methods = await read<{ name: string | null }[]>('Methods', id)
    expect(methods.map(({ name }) => name).sort()).toEqual(['facets', 'increment'])
  })

  it('are empty where nothing is deployed', async () => {
    const id = await idOf({ name: 'ABI only', abi: JSON.stringify(Counter.abi) })
    expect(await read('Overview', id)).toMatchObject({ address: null, account: null, contract: null, activity: null })
    for (const what of ['Transactions', 'Calls', 'Events', 'Transfers'])
      expect(await read(what, id)).toEqual({ items: [], next: null })
    expect(await read('Assets', id)).toEqual({ ether: '0', items: [], next: null })
    expect(await read('Storage', id)).toEqual({ layout: null, entry: null, entries: [], next: null })
    expect(await read('Methods', id)).toEqual([])
    expect(await read('Activity', id)).toEqual({ seconds: 1, parts: [], truncated: false })
    expect(await read('History', id)).toMatchObject({ versions: [{ number: 1 }], deployments: [] })
  })

  it('count over time what happened: since its beginning, or in a period', async () => {
    type Part = Record<'transactions' | 'callsTo' | 'events', number> & { from: string; blocks: object | null }
    type Activity = { seconds: number; parts: Part[]; truncated: boolean }
    const address = await deployContract(client, Counter, [1n])
    const id = await idOf({ name: 'Busy', address, abi: JSON.stringify(Counter.abi) })
    const increments = async (count: number, afterSeconds: number) => {
      await network.rpc('evm_increaseTime', afterSeconds)
      for (let sent = 0; sent < count; sent++) await increment(address)
    }
    await increments(2, 5400)
    await increments(3, 1_800)
    const hourly = await read<Activity>('Activity', id, { parts: 4 })
    expect(hourly.seconds).toBeGreaterThanOrEqual(1800)
    // The creation, then nothing, then two calls, and three more half an hour later.
    expect(hourly.parts.map(({ transactions, callsTo, events }) => [transactions, callsTo, events])).toEqual([
      [1, 1, 0],
      [0, 0, 0],
      [2, 2, 2],
      [3, 3, 3],
    ])
    expect(hourly.parts[1]?.blocks).toBeNull()
    expect(hourly.truncated).toBe(false)
    const { items } = await read('Transactions', id)
    expect(hourly.parts[3]?.blocks).toMatchObject({ first: items[2]?.blockNumber })
    const lately = await read<Activity>('Activity', id, { period: '10min', parts: 2 })
    expect(lately).toMatchObject({ seconds: 300, parts: [{ transactions: 0 }, { transactions: 3, callsTo: 3 }] })
    await expect(read('Activity', id, { parts: 121 })).rejects.toMatchObject({ code: -32602 })
  })

  it.each([
    ['Transactions', { limit: 0 }],
    ['Transactions', { limit: 201 }],
    ['Transactions', { cursor: 'nonsense' }],
    ['Assets', { cursor: '0.0.0' }],
    ['History', { cursor: '0.0.0' }],
    ['Storage', { path: 'balances[1]' }],
    ['Storage', { cursor: 'nonsense' }],
    ['Calls', { method: 'nothing' }],
    ['Calls', { direction: 'up' }],
    ['Events', { event: 'Nothing' }],
    ['Transfers', { kind: 'erc777' }],
    ['Overview', { nonsense: 1 }],
  ])('refuse %s with %o', async (what, options) => {
    const described = pad('0xde', { size: 20 })
    const id = await idOf({ name: 'Described', address: described, abi: JSON.stringify(PlainToken.abi) })
    await expect(read(what, id, options)).rejects.toMatchObject({ code: -32602 })
    await expect(read(what, 'wlt_nobody')).rejects.toMatchObject({ code: -32001 })
  })

  it('find a slot of a contract of the live chain that was never touched here', async () => {
    const id = await idOf({ name: 'Proxy', address: proxy })
    const slot = `0x${(BigInt(keccak256(stringToHex('eip1967.proxy.implementation'))) - 1n).toString(16)}`
    expect(await read('Storage', id, { path: slot })).toMatchObject({
      entry: { value: pad(lower(counter)), origin: 'upstream', upstreamValue: null },
    })
  })
})
