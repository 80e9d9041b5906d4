import { type Address, encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { type Check, type Client, require, requireSame } from './check.ts'
import type { World } from './world.ts'

type Transaction = { from: Address; to: Address; input: Hex; gas: number; gas_price: string; value: string | number }
type Override = { nonce?: number; code?: Hex; balance?: string; state?: Record<string, unknown> }
type Output = {
  status?: boolean
  gasUsed?: number
  blockNumber?: number
  logs?: { name?: string; inputs?: { name?: string; type?: string; value?: unknown }[]; raw?: { address?: string } }[]
  trace?: { type?: string; from?: string; to?: string; method?: string; error_messages?: string; output?: Hex }[]
}
type Account = { address: Address; network: number; displayName?: string; tags?: string[] }
type Accounts = {
  get(address: Address): Promise<Account>
  add(address: Address, data?: { displayName?: string }): Promise<Account>
  update(address: Address, data: { displayName?: string; appendTags?: string[] }): Promise<Account>
  getBy(query: { displayNames?: string[]; tags?: string[] }): Promise<Account[]>
  getAll(): Promise<Account[]>
  remove(address: Address): Promise<void>
}
type Simulate = {
  simulateTransaction(request: {
    transaction: Transaction
    blockNumber: number
    overrides?: Record<Address, Override> | null
  }): Promise<Output>
  simulateBundle(request: {
    transactions: Transaction[]
    blockNumber: number
    overrides?: Record<Address, Override> | null
  }): Promise<Output[]>
}
type Sdk = {
  simulator: Simulate
  contracts: Accounts & { verify(address: Address, request: object): Promise<Account> }
  wallets: Accounts
  with(configuration: object): Sdk
}
type Module = { Tenderly: new (configuration: object) => Sdk }

const one = parseEther('1')

/** Tenderly's own SDK, whose host is in its code: it is reached at a TLS endpoint of that name. */
export const tenderlySdk: Client = {
  name: '@tenderly/sdk',
  async load(packages, world) {
    const { Tenderly } = await packages.load<Module>('@tenderly/sdk')
    const sdk = new Tenderly({ accessKey: world.key, accountName: 'anyone', projectName: 'project', network: 1 })
    return [...simulationChecks(sdk, world), ...accountChecks(sdk, world)]
  },
}

function simulationChecks(
  { simulator, contracts }: Sdk,
  { client, owner, other, treasury: at, uniswap, contracts: { treasury } }: World,
): Check[] {
  const send = (to: Address, input: Hex, from = owner): Transaction => {
    return { from, to, input, gas: 1_000_000, gas_price: '0', value: 0 }
  }
  const transfer = (amount: bigint, from = owner) =>
    send(uniswap.tokenA, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [other, amount] }), from)
  const treasuryCall = (functionName: string, args: unknown[]) =>
    send(at, encodeFunctionData({ abi: treasury.abi, functionName, args }))
  const newest = async () => Number(await client.getBlockNumber())
  return [
    {
      name: 'simulates a transaction',
      async run() {
        const blockNumber = await newest()
        const output = await simulator.simulateTransaction({ transaction: transfer(one), blockNumber })
        requireSame('status', output.status, true)
        require(typeof output.gasUsed === 'number' && output.gasUsed > 21_000, `gasUsed is ${output.gasUsed}`)
        require(typeof output.blockNumber === 'number', `blockNumber is ${output.blockNumber}`)
        const [log] = output.logs ?? []
        requireSame('the name of the event', log?.name, 'Transfer')
        requireSame('the value of the event', log?.inputs?.at(-1)?.value, one.toString())
        requireSame('the method of the trace', output.trace?.[0]?.method, 'transfer')
      },
    },
    {
      name: 'simulates a revert as a result',
      async run() {
        const output = await simulator.simulateTransaction({
          transaction: transfer(10n ** 40n),
          blockNumber: await newest(),
        })
        requireSame('status', output.status, false)
        require(Boolean(output.trace?.[0]?.error_messages), 'the trace has no reason')
      },
    },
    {
      name: 'verifies a contract',
      async run() {
        const { contractToVerify, version, sources, settings } = treasury
        const solc = { version, sources, settings }
        const verified = await contracts.verify(at, { contractToVerify, solc, config: { mode: 'private' } })
        requireSame('the address', verified.address.toLowerCase(), at.toLowerCase())
      },
    },
    {
      name: 'overrides variables by their names, a balance and a nonce',
      async run() {
        const poor: Address = '0x00000000000000000000000000000000000000c1'
        const output = await simulator.simulateTransaction({
          transaction: send(
            at,
            encodeFunctionData({ abi: treasury.abi, functionName: 'pay', args: [uniswap.tokenA, 1n] }),
            poor,
          ),
          blockNumber: await newest(),
          overrides: {
            [at.toLowerCase()]: {
              state: {
                'grants[1].recipient': other,
                'grants[1].amount': '7',
                [`limits[${uniswap.tokenA}][${other}]`]: '9',
                payments: '41',
              },
            },
            [poor]: { balance: '1000000000000000000', nonce: 5 },
          },
        })
        requireSame('status', output.status, true)
        const paid = output.logs?.find(({ name }) => name === 'Paid')
        requireSame('the paid amount', paid?.inputs?.at(-1)?.value, '7')
      },
    },
    {
      name: 'simulates a bundle as one sequence',
      async run() {
        const transactions = [
          treasuryCall('grant', [uniswap.tokenA, other, 5n, 'a bench']),
          treasuryCall('pay', [uniswap.tokenA, 1n]),
        ]
        const outputs = await simulator.simulateBundle({ transactions, blockNumber: await newest() })
        requireSame(
          'the statuses',
          outputs.map(({ status }) => status),
          [true, true],
        )
        requireSame(
          'the events',
          outputs[1]?.logs?.map(({ name }) => name),
          ['Transfer', 'Paid'],
        )
      },
    },
  ]
}

function accountChecks(sdk: Sdk, { treasury: at, other }: World): Check[] {
  const lifeOf = (kind: string, accounts: Accounts, address: Address): Check => ({
    name: `adds, names, tags, finds and removes a ${kind}`,
    async run() {
      const plain = ({ address: found, network, displayName }: Account) => [found.toLowerCase(), network, displayName]
      const isIt = ({ address: found }: Account) => found.toLowerCase() === address.toLowerCase()
      const named = [address.toLowerCase(), 1, 'The first']
      requireSame('what was added', plain(await accounts.add(address, { displayName: 'The first' })), named)
      await accounts.update(address, { displayName: 'The second', appendTags: ['simulated'] })
      const updated = await accounts.get(address)
      requireSame('the new name', updated.displayName, 'The second')
      requireSame('the tags', updated.tags, ['simulated'])
      const tagged = await accounts.getBy({ tags: ['simulated'] })
      requireSame(
        `the ${kind}s with the tag`,
        tagged.map(({ address: found }) => found.toLowerCase()),
        [address.toLowerCase()],
      )
      const nameless = await accounts.getBy({ displayNames: ['The first'] })
      requireSame(`the ${kind}s with the old name`, nameless.length, 0)
      require((await accounts.getAll()).some(isIt), `it is not among all ${kind}s`)
      await accounts.remove(address)
      requireSame('the error after its removal', await errorOf(accounts.get(address)), 'NotFoundError')
    },
  })
  return [
    lifeOf('contract', sdk.contracts, at),
    lifeOf('wallet', sdk.wallets, other),
    {
      name: 'says that there is no such project',
      async run() {
        const stranger = sdk.with({ projectName: 'nothing-of-this-name' })
        const error = await stranger.contracts
          .add(at)
          .catch((reason: Error & { status?: number; slug?: string }) => reason)
        const { name, status, slug } = error as unknown as { name?: string; status?: number; slug?: string }
        requireSame('the error', { name, status, slug }, { name: 'ApiError', status: 404, slug: 'not_found' })
      },
    },
    {
      name: 'says that a key is wrong',
      async run() {
        const error = await sdk
          .with({ accessKey: 'wrong' })
          .contracts.add(at)
          .catch((reason: Error) => reason)
        const { name, slug } = error as unknown as { name?: string; slug?: string }
        requireSame('the error', { name, slug }, { name: 'ApiError', slug: 'unauthorized' })
      },
    },
  ]
}

const errorOf = (task: Promise<unknown>) =>
  task.then(
    () => undefined,
    ({ name }: Error) => name,
  )
