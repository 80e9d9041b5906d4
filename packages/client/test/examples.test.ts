import { createUnderstudyClient, type UnderstudyClient } from '@understudy/client'
import { type ExtensionMethod, extensionMethods } from '@understudy/client/methods'
import {
  type Anvil,
  artifacts,
  deployContract,
  type ExplorerStandIn,
  startAnvil,
  startExplorer,
} from '@understudy/testkit'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Action, actions, objectFrom } from '../../../tooling/reference/clientModel.ts'
import { methods } from '../../node/src/rpc/methods/index.ts'
import { startNetwork, type TestNetwork } from '../../node/test/startNetwork.ts'

/** What has to be there before something can be shown, changed or taken away. */
function rankOf(name: ExtensionMethod): number {
  if (/_(add|create|import|follow|impersonate|set|debugOpen|simulate$)/.test(name)) return 0
  return /_(remove|unfollow|stop|resync|wipe|debugClose)/.test(name) ? 2 : 1
}

/** They need several networks in a process: host/networks.test.ts of the node calls them. */
const ofServe: ReadonlySet<string> = new Set(['dev_createNetwork', 'dev_getNetworks', 'dev_removeNetwork'])

const referenced = extensionMethods
  .filter((name) => !ofServe.has(name))
  .sort((a, b) => rankOf(a) - rankOf(b))
  .map((name) => {
    const method = methods.find((each) => each.name === name)
    if (!method) throw new Error(`there is no ${name}`)
    return { name, ...method.example, schema: method.result }
  })

describe('the examples of the reference, by the client', () => {
  let anvil: Anvil
  let explorer: ExplorerStandIn
  let network: TestNetwork
  let client: UnderstudyClient
  /** What stands in the examples for what the network names. */
  const known = new Map<unknown, unknown>()
  /** What each method answered: they are called once, in an order in which each finds what it needs. */
  const outcomes = new Map<ExtensionMethod, PromiseSettledResult<unknown>>()
  const usdc: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
  const pool: Address = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'

  beforeAll(async () => {
    anvil = await startAnvil()
    for (const address of [usdc, pool])
      await anvil.rpc('anvil_setCode', [address, artifacts.SoladyToken.deployedBytecode])
    explorer = await startExplorer({ chainId: 31337, key: 'KEY' })
    explorer.verify(usdc, { name: 'USD Coin', abi: artifacts.SoladyToken.abi })
    network = await startNetwork({
      forkUrls: [anvil.url],
      explorerUrl: explorer.etherscanUrl,
      explorerKey: 'KEY',
      publicExplorers: false,
    })
    client = createUnderstudyClient({ url: network.url })
    const [alice = '0x'] = await client.getAddresses()
    const hash = await client.sendTransaction({ account: alice, to: usdc, value: 0n, gas: 100_000n })
    known.set('0xa0df00d5d4e49d19e22c585ba08fd56f4df8fcca6c3493646a4eaa6ef687e784', hash)
    const wallet = await client.dev.addWorkspace({ name: 'Alice', address: alice })
    if (wallet.kind === 'wallet') known.set('wlt_tz4a98xxat96iws9zmbrgj3a', wallet.wallet.id)
    const { abi, deployedBytecode, storageLayout } = artifacts.BalanceStore
    const { contracts } = await client.dev.importContracts({
      contracts: [{ name: 'Token', abi: JSON.stringify(abi), bytecode: deployedBytecode, storageLayout }],
    })
    known.set('pc_tz4a98xxat96iws9zmbrgj3a', contracts[0]?.projectContractId)
    await deployContract(network.client, artifacts.BalanceStore)
    await client.dev.setCode({ address: `0x${'aa'.padStart(40, '0')}`, bytecode: deployedBytecode as Hex })
    for (const { name, params, result } of referenced) {
      const [outcome] = await Promise.allSettled([call(name, params)])
      outcomes.set(name, outcome)
      if (outcome.status === 'fulfilled') learn(result, outcome.value)
    }
  })
  afterAll(async () => {
    await network?.stop()
    await explorer?.stop()
    await anvil?.stop()
  })

  /** Takes the ids of an answer for those of the example. */
  function learn(example: unknown, answered: unknown): void {
    if (
      typeof example === 'string' &&
      /^(([a-z]+_)?[a-z\d]{24}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/.test(example)
    ) {
      if (!known.has(example)) known.set(example, answered)
    } else if (typeof example === 'object' && example !== null && typeof answered === 'object' && answered !== null)
      for (const [key, value] of Object.entries(example)) learn(value, (answered as Record<string, unknown>)[key])
  }

  async function call(name: ExtensionMethod, params: readonly unknown[]): Promise<unknown> {
    const action = actions.find(({ method }) => method.name === name) as Action
    const members = client as unknown as Record<string, Record<string, (parameters: unknown) => Promise<unknown>>>
    const given = objectFrom(
      action,
      params.map((param) => known.get(param) ?? param),
    )
    return members[action.namespace]?.[action.name]?.(given)
  }

  it.each(referenced)('$name', ({ name, result, schema }) => {
    const outcome = outcomes.get(name)
    if (outcome?.status !== 'fulfilled') throw outcome?.reason
    const answered = outcome.value
    expect(schema.safeParse(answered).error).toBeUndefined()
    if (!Array.isArray(result) && typeof result === 'object')
      expect(Object.keys(answered as object).sort()).toEqual(Object.keys(result as object).sort())
  })
})
