import { artifacts, connectClient, deployContract, deployUniswapV2 } from '@understudy/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ImportResult, localContract } from '../localContracts.ts'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const { Counter, Events, UniswapV2Factory, UniswapV2Pair, UniswapV2Router02 } = artifacts

describe('importing contracts', () => {
  let network: TestNetwork
  const push = (...contracts: unknown[]) => network.rpc<ImportResult>('dev_importContracts', { contracts })
  type Imported = { name: string; versions: { number: number }[]; deployments: Record<string, unknown>[] }
  const imported = () => network.rpc<Imported[]>('dev_getImportedContracts')
  const statuses = ({ contracts }: ImportResult) => contracts.map(({ status }) => status)

  beforeEach(async () => {
    network = await startNetwork()
  })
  afterEach(() => network.stop())

  it('creates a contract, keeps it when nothing changed, and makes a version when its code changed', async () => {
    const first = await push(localContract('Counter', Counter))
    expect(first).toEqual({
      contracts: [
        {
          name: 'Counter',
          projectContractId: expect.stringMatching(/^pc_/),
          projectContractVersionId: expect.stringMatching(/^pcv_/),
          status: 'created',
        },
      ],
      linkedDeployments: [],
    })
    expect(await push(localContract('Counter', Counter))).toEqual({
      contracts: [{ ...first.contracts[0], status: 'unchanged' }],
      linkedDeployments: [],
    })
    const next = await push(localContract('Counter', artifacts.PlainToken))
    expect(next.contracts).toEqual([
      {
        ...first.contracts[0],
        projectContractVersionId: expect.not.stringContaining(first.contracts[0]?.projectContractVersionId ?? ''),
        status: 'new_version',
      },
    ])
    await network.restart()
    expect(statuses(await push(localContract('Counter', artifacts.PlainToken)))).toEqual(['unchanged'])
    expect((await imported()).map(({ name, versions }) => [name, versions.map(({ number }) => number)])).toEqual([
      ['Counter', [1, 2]],
    ])
  })

  it('keeps the storage layout of a contract that is pushed again without one, and no layout of other code', async () => {
    const { storageLayout: _, ...counter } = localContract('Counter', Counter)
    const layoutOf = (label: string) => ({
      storage: [{ label, slot: '0', offset: 0, type: 't' }],
      types: { t: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' } },
    })
    const first = await push({ ...counter, storageLayout: layoutOf('total') })
    const address = await deployContract(network.client, Counter, [7n])
    const variables = async (at = address) => {
      const id = first.contracts[0]?.projectContractId
      const { entries } = await network.rpc<{ entries: { path: string }[] }>('dev_getWorkspaceStorage', id, {
        address: at,
      })
      return entries.map(({ path }) => path)
    }
    await network.restart()
    expect((await push(counter)).contracts).toEqual([{ ...first.contracts[0], status: 'unchanged' }])
    expect(await variables()).toEqual(['total'])
    expect(statuses(await push({ ...counter, storageLayout: layoutOf('total') }))).toEqual(['unchanged'])
    expect(statuses(await push({ ...counter, storageLayout: layoutOf('sum') }))).toEqual(['new_version'])
    expect(await variables()).toEqual(['sum'])

    const { storageLayout: __, ...token } = localContract('Counter', artifacts.PlainToken)
    expect(statuses(await push(token))).toEqual(['new_version'])
    const other = await deployContract(network.client, artifacts.PlainToken, ['Token', 'TOK', 1n])
    expect(await variables(other)).not.toContain('sum')
    expect(await variables()).toEqual(['sum'])
  })

  it('keeps the source of a contract that is pushed again without it', async () => {
    const counter = localContract('Counter', Counter)
    const source = 'contract Counter {}'
    await push({ ...counter, source, sourcePath: 'src/Counter.sol' })
    const address = await deployContract(network.client, Counter, [7n])
    const files = async () => {
      const [known] = await network.rpc<{ files: { path: string; content: string }[] }[]>(
        'dev_getContractSources',
        address,
      )
      return known?.files.map(({ path, content }) => `${path}: ${content}`)
    }
    expect(statuses(await push(counter))).toEqual(['unchanged'])
    expect(await files()).toEqual([`src/Counter.sol: ${source}`])
    expect(statuses(await push({ ...counter, source: 'contract Counter { }' }))).toEqual(['unchanged'])
    expect(await files()).toEqual(['src/Counter.sol: contract Counter { }'])
  })

  it.each([
    ['as `bytecode`, as in artifacts', { bytecode: Counter.bytecode }],
    ['as both fields', { bytecode: Counter.bytecode, creationBytecode: Counter.bytecode }],
  ])('warns that creation code alone, %s, matches only what is created here', async (_, code) => {
    const contract = { name: 'Counter', abi: JSON.stringify(Counter.abi), ...code }
    const warned = expect.stringMatching(/^only creation code was pushed.*Also push the deployed \(runtime\) bytecode/)
    expect((await push(contract)).contracts).toMatchObject([{ status: 'created', warning: warned }])
    expect((await push(contract)).contracts).toMatchObject([{ status: 'unchanged', warning: warned }])
    const created = await deployContract(network.client, Counter, [7n])
    const written = `0x${'c4'.repeat(20)}`
    await network.rpc('dev_setCode', written, Counter.deployedBytecode)
    const deployed = async () => (await imported())[0]?.deployments.map(({ address }) => address)
    expect(await deployed()).toEqual([created])
    const whole = await push({ ...contract, deployedBytecode: Counter.deployedBytecode })
    expect(whole.contracts[0]).not.toHaveProperty('warning')
    expect((await deployed())?.toSorted()).toEqual([created, written].toSorted())
  })

  it('does not take the runtime code of any contract for creation code', async () => {
    const contracts = Object.entries(artifacts).map(([name, { abi, deployedBytecode }]) => ({
      name,
      abi: JSON.stringify(abi),
      bytecode: deployedBytecode,
    }))
    const { contracts: pushed } = await push(...contracts.filter(({ bytecode }) => bytecode.length > 2))
    expect(pushed.length).toBeGreaterThan(20)
    expect(pushed.filter((contract) => 'warning' in contract)).toEqual([])
  })

  it('makes a version when only `bytecode` changed', async () => {
    const counter = localContract('Counter', Counter)
    const padded = { ...counter, bytecode: `${counter.bytecode}00` }
    expect(statuses(await push(counter))).toEqual(['created'])
    expect(statuses(await push(padded))).toEqual(['new_version'])
    expect(statuses(await push(padded))).toEqual(['unchanged'])
  })

  it('links a contract to where it is deployed already, and counts the calls that its ABI decodes', async () => {
    const address = await deployContract(network.client, Counter, [7n])
    const call = { address, abi: Counter.abi } as const
    await network.client.writeContract({ ...call, functionName: 'increment' })
    await network.client.writeContract({ ...call, functionName: 'increment' })
    await network.client.writeContract({ ...call, functionName: 'setNumber', args: [1n] })
    await network.client.sendTransaction({ to: address, data: '0xdeadbeef', gas: 100_000n })
    const { linkedDeployments } = await push(
      localContract('Counter', Counter),
      localContract('Router', UniswapV2Router02),
    )
    expect(linkedDeployments).toEqual([{ name: 'Counter', address, backfilledCalls: 3 }])
    expect((await imported())[0]?.deployments).toEqual([
      {
        projectContractDeploymentId: expect.stringMatching(/^pcd_/),
        projectContractVersionId: expect.stringMatching(/^pcv_/),
        address,
        blockNumber: 1,
        constructorArgs: [{ name: expect.any(String), type: 'uint256', value: '7' }],
      },
    ])
  })

  it('waits for a deployment across restarts, and forgets what is removed', async () => {
    const { contracts } = await push(localContract('Counter', Counter))
    await network.restart()
    const address = await deployContract(network.client, Counter, [7n])
    await network.restart()
    expect((await imported()).map(({ deployments }) => deployments)).toMatchObject([[{ address, blockNumber: 1 }]])
    await network.rpc('dev_removeImportedContract', contracts[0]?.projectContractId)
    await deployContract(network.client, Counter, [7n])
    expect(await imported()).toEqual([])
    const again = await push(localContract('Counter', Counter))
    expect(again.linkedDeployments).toHaveLength(2)
    expect(again.contracts[0]?.projectContractId).not.toBe(contracts[0]?.projectContractId)
  })

  it('links a contract whose code is written directly, or comes with a state', async () => {
    const { contracts } = await push(localContract('Counter', Counter))
    const [first, second] = [`0x${'c1'.repeat(20)}`, `0x${'c2'.repeat(20)}`]
    const deployed = async () => (await imported())[0]?.deployments.map(({ address }) => address)
    await network.rpc('dev_setCode', first, Counter.deployedBytecode)
    await network.rpc('hardhat_setCode', second, Counter.deployedBytecode)
    expect(await deployed()).toEqual([first, second])

    const dump = await network.rpc('anvil_dumpState')
    await network.rpc('dev_removeImportedContract', contracts[0]?.projectContractId)
    await network.rpc('dev_setCode', first, '0x')
    await push(localContract('Counter', Counter))
    expect(await deployed()).toEqual([second])
    await network.rpc('anvil_loadState', dump)
    expect(await deployed()).toEqual([second, first])
    await network.restart()
    expect(await deployed()).toEqual([second, first])
  })

  it('links a contract that a branch wrote when it is first looked at after the branch was promoted', async () => {
    await push(localContract('Counter', Counter))
    const address = `0x${'c3'.repeat(20)}` as const
    const { url } = await network.rpc<{ url: string }>('dev_createBranch', { name: 'written' })
    const branch = await connectClient(url)
    await branch.setCode({ address, bytecode: Counter.deployedBytecode })
    await network.rpc('dev_promoteBranch', 'written')
    expect(await network.rpc('dev_getContractAbi', address)).toMatchObject({ name: 'Counter', source: 'import' })
    expect((await imported())[0]?.deployments).toMatchObject([{ address }])
  })

  it('keeps what is deployed of an older version with that version', async () => {
    const older = { ...Counter, bytecode: Events.bytecode, deployedBytecode: Events.deployedBytecode, abi: Events.abi }
    const first = await push(localContract('Counter', older))
    const eventsAddress = await deployContract(network.client, Events)
    const second = await push(localContract('Counter', Counter))
    expect(second).toMatchObject({ contracts: [{ status: 'new_version' }], linkedDeployments: [] })
    const counterAddress = await deployContract(network.client, Counter, [1n])
    const later = await deployContract(network.client, Events)
    const versionOf = new Map(
      (await imported())[0]?.deployments.map(({ address, projectContractVersionId }) => [
        address,
        projectContractVersionId,
      ]),
    )
    const [firstId, secondId] = [first, second].map(({ contracts }) => contracts[0]?.projectContractVersionId)
    expect([eventsAddress, counterAddress, later].map((address) => versionOf.get(address))).toEqual([
      firstId,
      secondId,
      firstId,
    ])
  })

  it('links what a factory creates, before and after the import', async () => {
    const { factory, pair, tokenA, weth } = await deployUniswapV2(network.client)
    const { linkedDeployments } = await push(
      localContract('UniswapV2Factory', UniswapV2Factory),
      localContract('UniswapV2Pair', UniswapV2Pair),
    )
    expect(linkedDeployments).toEqual(
      expect.arrayContaining([
        { name: 'UniswapV2Factory', address: factory.toLowerCase(), backfilledCalls: expect.any(Number) },
        { name: 'UniswapV2Pair', address: pair.toLowerCase(), backfilledCalls: expect.any(Number) },
      ]),
    )
    expect(linkedDeployments).toHaveLength(2)
    const args = [tokenA, weth] as const
    const create = { address: factory, abi: UniswapV2Factory.abi, functionName: 'createPair', args } as const
    await network.client.writeContract(create)
    const created = await network.client.readContract({ ...create, functionName: 'getPair' })
    const pairs = (await imported()).find(({ name }) => name === 'UniswapV2Pair')
    expect(pairs?.deployments.map(({ address }) => address)).toEqual([pair.toLowerCase(), created.toLowerCase()])
  })
})
