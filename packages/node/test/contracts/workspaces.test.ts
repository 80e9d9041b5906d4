import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  startAnvil,
  type TestClient,
  testAccounts,
} from '@understudy/testkit'
import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const { Counter, PlainToken, Collectible } = artifacts
const lower = (address: Address) => address.toLowerCase() as Address
const wallet = `0x${'ab'.repeat(20)}` as const
const abi = JSON.stringify(Counter.abi)
const time = expect.stringMatching(/^\d{4}-.*Z$/)
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[a-z0-9]{20,}$`))

describe('workspaces', () => {
  let anvil: Anvil
  let live: TestClient
  let network: TestNetwork
  let client: TestClient
  let counter: Address
  /** Others like it, for one test each. */
  let typed: Address
  let kept: Address
  let token: Address
  let collectible: Address
  let local: Address
  /** Live contracts with the code of an import, which nothing here has called. */
  let [seen, added]: Address[] = []

  const add = (input: object) => network.rpc<Record<string, Record<string, unknown>>>('dev_addWorkspace', input)
  const failure = (input: unknown) =>
    network.rpc('dev_addWorkspace', input).then(
      () => 'nothing was refused',
      ({ code, details }) => `${code} ${details}`,
    )

  beforeAll(async () => {
    anvil = await startAnvil({})
    live = await connectClient(anvil.url)
    counter = await deployContract(live, Counter, [7n])
    typed = await deployContract(live, Counter, [4n])
    kept = await deployContract(live, Counter, [5n])
    token = await deployContract(live, PlainToken, ['Token', 'TOK', 1000n])
    collectible = await deployContract(live, Collectible)
    seen = await deployContract(live, artifacts.Events)
    added = await deployContract(live, artifacts.Events)
    network = await startNetwork({ forkUrls: [anvil.url] })
    // Another account than the live chain's deployer: its contracts get other addresses.
    client = await connectClient(network.url, testAccounts[3])
    local = await deployContract(client, Counter, [1n])
  })
  afterAll(async () => {
    await network?.stop()
    await anvil?.stop()
  })

  it('are wallets where there is no code', async () => {
    const added = await add({ name: ' My wallet ', address: getAddress(wallet) })
    expect(added).toEqual({
      kind: 'wallet',
      wallet: { id: id('wlt'), name: 'My wallet', address: wallet, createdAt: time },
    })
    const again = await add({ name: 'Renamed', address: wallet })
    expect(again).toEqual({ kind: 'wallet', wallet: { ...added.wallet, name: 'Renamed' } })
  })

  it('are wallets where an account delegates to a contract', async () => {
    const account = `0x${'7d'.repeat(20)}` as const
    await network.rpc('dev_setCode', account, `0xef0100${counter.slice(2)}`)
    expect(await add({ name: 'Smart', address: account })).toMatchObject({ kind: 'wallet' })
  })

  it.each([
    ['ERC20', () => token],
    ['ERC721', () => collectible],
    [null, () => counter],
  ] as const)('are contracts of the live chain, found out to be %s', async (type, contract) => {
    const address = contract()
    expect(await add({ name: 'Theirs', address })).toEqual({
      kind: 'mainnet-contract',
      mainnetProjectContract: { id: id('mpc'), name: 'Theirs', address: lower(address), type, createdAt: time },
    })
  })

  it('take the caller’s word for the type', async () => {
    const address = typed
    expect(await add({ name: 'Counter', address, type: 'ERC721' })).toMatchObject({
      mainnetProjectContract: { type: 'ERC721' },
    })
    expect(await add({ name: 'Counter', address })).toMatchObject({
      mainnetProjectContract: { type: 'ERC721' },
    })
  })

  it('are manual with an ABI, and get a new version with another', async () => {
    const added = await add({ name: 'Mine', address: local, abi })
    expect(added).toEqual({
      kind: 'manual',
      projectContract: { id: id('pc'), name: 'Mine' },
      projectContractVersion: { id: id('pcv') },
      projectContractDeployment: { id: id('pcd'), address: lower(local) },
    })
    expect(await add({ name: 'Mine', address: local, abi })).toEqual(added)
    const changed = await add({ name: 'Mine 2', address: local, abi: '[]' })
    expect(changed).toEqual({
      ...added,
      projectContract: { ...added.projectContract, name: 'Mine 2' },
      projectContractVersion: { id: id('pcv') },
    })
    expect(changed.projectContractVersion).not.toEqual(added.projectContractVersion)
    expect(await network.rpc('dev_getWorkspace', added.projectContract?.id)).toMatchObject({
      version: { ...changed.projectContractVersion, number: 2 },
    })
  })

  it('may be an ABI alone', async () => {
    const added = await add({ name: 'Only an ABI', abi })
    expect(added).toMatchObject({ kind: 'manual', projectContractDeployment: null })
    expect(await add({ name: 'Only an ABI', abi })).toEqual(added)
    const { projectContract } = await add({ name: 'Another', abi })
    expect(projectContract?.id).not.toBe(added.projectContract?.id)
  })

  it('cannot be of a contract that only this network has, unless it is described', async () => {
    const address = await deployContract(client, artifacts.Reverter)
    expect(await failure({ name: 'Unknown', address })).toBe(
      `-32000 the contract at ${lower(address)} has code that the live chain does not have there, so block explorers do not know it. Pass its abi, or push the compiled contract with dev_importContracts. If the code of a live contract was changed here, dev_resyncAccount restores the live code`,
    )
  })

  it('cannot be of a live contract whose code was changed here, until it has the live one again', async () => {
    const address = await deployContract(live, Counter, [3n])
    await network.rpc('dev_setCode', address, '0x602a60005260206000f3')
    const refused = await failure({ name: 'Patched', address })
    expect(refused).toContain(`${lower(address)} has code that the live chain does not have there`)
    expect(refused).toContain(
      'If the code of a live contract was changed here, dev_resyncAccount restores the live code',
    )
    expect(refused).not.toMatch(/only (on|in) this network|exists only/)
    await network.rpc('dev_resyncAccount', address)
    expect(await add({ name: 'Live again', address })).toMatchObject({ kind: 'mainnet-contract' })
  })

  const importEvents = () => {
    const { abi, deployedBytecode } = artifacts.Events
    const contract = { name: 'Events', abi: JSON.stringify(abi), bytecode: deployedBytecode }
    return network.rpc<{ contracts: { projectContractId: string }[] }>('dev_importContracts', { contracts: [contract] })
  }

  it('are of the import whose code a local contract has', async () => {
    const address = await deployContract(client, artifacts.Events)
    const { contracts } = await importEvents()
    expect(await add({ name: 'Ours', address })).toMatchObject({
      kind: 'manual',
      projectContract: { id: contracts[0]?.projectContractId, name: 'Ours' },
      projectContractDeployment: { address: lower(address) },
    })
    // The import keeps its name, by which it is pushed again.
    expect((await importEvents()).contracts).toEqual([expect.objectContaining({ name: 'Events', status: 'unchanged' })])
    expect(await network.rpc('dev_getContractAbi', address)).toMatchObject({ name: 'Events' })
    const workspace = await network.rpc('dev_getWorkspace', contracts[0]?.projectContractId)
    expect(workspace).toMatchObject({ name: 'Ours' })
  })

  it('are not needed for a live contract with the code of an import: it is recognised when it is looked at or added', async () => {
    await importEvents()
    expect(await network.rpc('dev_getContractAbi', seen)).toMatchObject({ name: 'Events', source: 'import' })
    expect(await add({ name: 'Mine', address: added })).toMatchObject({ kind: 'mainnet-contract' })
    const imported = await network.rpc<{ deployments: { address: string }[] }[]>('dev_getImportedContracts')
    expect(imported[0]?.deployments.map(({ address }) => address)).toEqual(
      expect.arrayContaining([lower(seen as Address), lower(added as Address)]),
    )
  })

  it.each([
    [{}, 'params[0].name: expected a string, got nothing'],
    [{ name: '  ' }, 'params[0].name: is empty; name the workspace'],
    [{ name: 'A' }, 'address: is missing. Pass the address of a wallet or contract, the abi of a contract, or both'],
    [{ name: 'A', address: '0x12' }, 'params[0].address: expected a 20-byte 0x-hex address, got "0x12"'],
    [{ name: 'A', abi: '{' }, /^abi: is not JSON/],
    [{ name: 'A', abi: '[{"type":"function"}]' }, 'abi: fragment 0.name: expected a string, got nothing'],
    [{ name: 'A', address: wallet, type: 'ERC1155' }, 'params[0].type: expected ERC20 or ERC721'],
    [{ name: 'A', address: wallet, kind: 'wallet' }, 'params[0].kind: is not a known field'],
  ])('refuse %o', async (input, message) => {
    const before = await network.rpc('dev_getWorkspaces')
    const text = (await failure(input)).replace('-32602 invalid params: ', '')
    if (typeof message === 'string') expect(text).toBe(message)
    else expect(text).toMatch(message)
    expect(await network.rpc('dev_getWorkspaces')).toEqual(before)
  })

  it('outlive a restart, are listed in the order in which they were added, and can be removed', async () => {
    type Listed = { id: string; kind: string; name: string }
    const address = await deployContract(client, artifacts.Events)
    await importEvents()
    await add({ name: 'Imported', address })
    await add({ name: 'Kept wallet', address: `0x${'7e'.repeat(20)}` })
    await add({ name: 'Kept contract', address: kept })
    await add({ name: 'Kept ABI', abi })
    const before = await network.rpc<Listed[]>('dev_getWorkspaces')
    const names = ['Kept wallet', 'Kept contract', 'Kept ABI']
    expect(before.map(({ name }) => name).filter((name) => names.includes(name))).toEqual(names)
    expect(before.find(({ name }) => name === 'Imported')).toMatchObject({ origin: 'import' })
    await network.restart()
    client = await connectClient(network.url, testAccounts[3])
    expect(await network.rpc('dev_getWorkspaces')).toEqual(before)
    for (const workspace of before) {
      expect(await network.rpc('dev_getWorkspace', workspace.id)).toEqual(workspace)
      expect(await network.rpc('dev_removeWorkspace', workspace.id)).toEqual({ id: workspace.id, removed: true })
      await expect(network.rpc('dev_getWorkspace', workspace.id)).rejects.toMatchObject({ code: -32001 })
    }
    expect(await network.rpc('dev_getWorkspaces')).toEqual([])
    expect(await network.rpc('dev_getImportedContracts')).toEqual([])
    await expect(network.rpc('dev_removeWorkspace', 'wlt_nobody')).rejects.toMatchObject({ code: -32001 })
  })
})
