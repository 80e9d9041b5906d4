import {
  type Account,
  type Address,
  type Chain,
  encodeFunctionData,
  erc20Abi,
  parseEther,
  type TestClient,
  type Transport,
  type WalletClient,
} from 'viem'
import { readContract } from 'viem/actions'
import { type Check, type Client, require, requireSame } from './check.ts'
import type { World } from './world.ts'

type Configuration = { accessToken: string; accountSlug: string; projectSlug: string }
type Simulation = {
  simulation: { id: string; status: boolean; network_id: string }
  transaction: { status: boolean; addresses: Address[]; transaction_info: { state_diff: object[] } }
  contracts: object[]
  generated_access_list: object[]
}
type Vnet = {
  vnet: { id: string; slug: string; rpcs: { name: string; url: string }[] }
  testClient: TestClient<'anvil', Transport, Chain, Account | undefined>
  walletClient: WalletClient<Transport, Chain, Account>
  simulate(body: object): Promise<Simulation>
  delete(): Promise<Response>
}
type Module = {
  tenderly_createVnet(options: object, configuration: Configuration): Promise<Vnet>
  tenderly_getVnet(slug: string, configuration: Configuration): Promise<{ id: string; slug: string }[]>
  tenderly_sim(configuration: Configuration, body: object): Promise<Simulation>
  makePayloadExecutableOnTestClient(client: Vnet['testClient'], address: Address, id: number): Promise<void>
  getPayloadStorageOverrides(client: unknown, address: Address, id: number): Promise<{ slot: string; value: string }[]>
  renderTenderlyReport(options: object): Promise<{ report: string }>
}

/** From whom Aave's seatbelt executes payloads. It has no ether. */
const anyone: Address = '0xD73a92Be73EfbFcF3854433A5FcbAbF9c1316073'
const amount = parseEther('3')

/** What Aave's seatbelt does for a payload of its governance, by the functions that it takes from this package. */
export const aave: Client = {
  name: '@bgd-labs/toolbox',
  async load(packages, world) {
    const toolbox = await packages.load<Module>('@bgd-labs/toolbox')
    const configuration = { accessToken: world.key, accountSlug: 'anyone', projectSlug: 'project' }
    return checksOf(toolbox, configuration, world, await createPayload(world))
  },
}

function checksOf(toolbox: Module, configuration: Configuration, world: World, id: number): Check[] {
  const { client, payloads: at, other, uniswap, contracts } = world
  const { abi } = contracts.payloads
  const slug = `seatbelt_1_${id}`
  const options = {
    ...{ baseChainId: 1, forkChainId: 1, displayName: `Seatbelt 1 ${id}`, slug, blockNumber: 'latest', force: true },
  }
  const execution = {
    network_id: '1',
    from: anyone,
    to: at,
    input: encodeFunctionData({ abi, functionName: 'executePayload', args: [id] }),
    block_number: -2,
    transaction_index: 0,
    gas_limit: 16_000_000,
    gas_price: '0',
    value: '0',
    access_list: [],
    generate_access_list: true,
    save: true,
    source: 'dashboard',
  }
  const reportOf = async (sim: Simulation) => {
    const payload = await readContract(client, {
      address: at,
      abi,
      functionName: 'getPayloadById',
      args: [id],
    })
    const createdLog = { transactionHash: `0x${'00'.repeat(32)}`, blockNumber: 1 }
    const known = { payloadId: id, payload, onchainLogs: { createdLog }, config: { etherscanApiKey: '' } }
    const { report } = await toolbox.renderTenderlyReport({ ...known, client: world.client, sim })
    return report
  }
  const requireReport = async (sim: Simulation) => {
    require(sim.simulation !== undefined, `the answer is ${JSON.stringify(sim)}`)
    requireSame('the status', sim.simulation.status, true)
    const report = await reportOf(sim)
    for (const part of ['PayloadExecuted', 'Transfer', other, amount.toString(), 'payloads'])
      require(report.includes(part), `the report has no ${part}: ${report}`)
  }
  const balanceOf = (vnet: Vnet) =>
    readContract(vnet.testClient, { address: uniswap.tokenA, abi: erc20Abi, functionName: 'balanceOf', args: [other] })
  return [
    {
      name: 'executes a payload on a virtual network, and reports it',
      async run() {
        const vnet = await toolbox.tenderly_createVnet(options, configuration)
        await toolbox.makePayloadExecutableOnTestClient(vnet.testClient, at, id)
        const simulation = await vnet.simulate(execution)
        await requireReport(simulation)
        // On Tenderly, the transaction of an account without ether costs nothing. Here, it has to be funded.
        await vnet.testClient.setBalance({ address: anyone, value: parseEther('1') })
        const before = await balanceOf(vnet)
        const request = { chain: null, abi, account: anyone, address: at, functionName: 'executePayload' }
        await vnet.walletClient.writeContract({ ...request, args: [id] })
        requireSame('what the recipient gets', (await balanceOf(vnet)) - before, amount)
      },
    },
    {
      name: 'replaces a virtual network of the same slug, and deletes it',
      async run() {
        const vnet = await toolbox.tenderly_createVnet(options, configuration)
        const found = await toolbox.tenderly_getVnet(slug, configuration)
        requireSame(
          'the networks of the slug',
          found.map(({ id: each }) => each),
          [vnet.vnet.id],
        )
        require((await vnet.delete()).ok, 'the network was not deleted')
        requireSame('the networks of the slug', (await toolbox.tenderly_getVnet(slug, configuration)).length, 0)
      },
    },
    {
      name: 'simulates a payload with overrides, without a virtual network',
      async run() {
        const overrides = await toolbox.getPayloadStorageOverrides(client, at, id)
        const storage = Object.fromEntries(overrides.map(({ slot, value }) => [slot, value]))
        const simulation = await toolbox.tenderly_sim(configuration, {
          ...{ network_id: '1', from: anyone, to: at, input: execution.input, block_number: -2 },
          ...{ state_objects: { [at]: { storage } }, save: true },
        })
        await requireReport(simulation)
        require(simulation.generated_access_list.length > 0, 'there is no access list')
      },
    },
    {
      name: 'reports why a payload cannot be executed',
      async run() {
        const { network_id, from, to, input } = execution
        const simulation = await toolbox.tenderly_sim(configuration, { network_id, from, to, input })
        requireSame('the status', simulation.simulation.status, false)
        const report = await reportOf(simulation)
        require(report.includes('PAYLOAD_NOT_IN_QUEUED_STATE'), `the report has no reason: ${report}`)
      },
    },
  ]
}

/** Creates a payload that transfers tokens, on the network. */
async function createPayload({ client, payloads: at, other, uniswap, contracts }: World): Promise<number> {
  const callData = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [other, amount] })
  const action = { target: uniswap.tokenA, withDelegateCall: false, accessLevel: 1, value: 0n, signature: '', callData }
  const request = { address: at, abi: contracts.payloads.abi, functionName: 'createPayload', args: [[action]] } as const
  await client.waitForTransactionReceipt({ hash: await client.writeContract(request), pollingInterval: 20 })
  return 0
}
