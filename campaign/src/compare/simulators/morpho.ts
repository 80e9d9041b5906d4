import { artifacts, requireSuccess } from '@understudy/testkit'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  ethAddress,
  getAddress,
  type Hex,
  parseEther,
  zeroAddress,
} from 'viem'
import { type Check, type Client, require, requireSame } from './check.ts'
import type { World } from './world.ts'

type Transaction = { from: Address; to: Address; data: Hex; value?: bigint }
type Changes = { account: Address; changes: { token: Address; symbol?: string; decimals?: number; diff: bigint }[] }[]
type Log = { address: Address; topics: Hex[]; data: Hex }
type Simulated = {
  calls: { logs: Log[]; status: boolean; returnData: Hex; gasUsed: bigint }[]
  transfers: { token: Address; from: Address; to: Address; amount: bigint; txIdx: number }[]
  assetChanges: Changes
}
type Backend = { tenderlyRpc: { rpcUrl: string } } | { simulateV1Url: string }
type Logger = Record<'info' | 'warn' | 'error', (message: string, data?: object) => void>
type Module = {
  simulate(
    config: { chains: Map<number, Backend>; timeoutMs: number; logger: Logger },
    request: { chainId: number; transactions: Transaction[]; authorizations?: object[] },
  ): Promise<Simulated>
}

const timeoutMs = 60_000
const never = 2n ** 64n - 1n
const one = parseEther('1')

/**
 * The simulations of Morpho: the same calls by its backend for Tenderly and by the one for eth_simulateV1, and the
 * balances that really change when the transactions are sent. It falls back to the other backend only if it has both.
 */
export const morpho: Client = {
  name: '@morpho-org/evm-simulation',
  async load(packages, world) {
    const { simulate } = await packages.load<Module>('@morpho-org/evm-simulation')
    const logger: Logger = { info() {}, warn() {}, error() {} }
    const by = (backend: Backend, transactions: Transaction[], authorizations?: object[]) =>
      simulate(
        { chains: new Map([[1, backend]]), timeoutMs, logger },
        { chainId: 1, transactions, ...(authorizations && { authorizations }) },
      )
    const backends = [{ tenderlyRpc: { rpcUrl: world.rpcUrl } }, { simulateV1Url: world.rpcUrl }] as const
    const same = (name: string, transactions: Transaction[], authorizations?: object[]): Check => ({
      name,
      async run() {
        const [tenderly, simulateV1] = [
          await by(backends[0], transactions, authorizations),
          await by(backends[1], transactions, authorizations),
        ]
        requireSame('calls', plain(tenderly).calls, plain(simulateV1).calls)
        requireSame('transfers', plain(tenderly).transfers, plain(simulateV1).transfers)
        requireSame('assetChanges', diffs(tenderly.assetChanges), diffs(simulateV1.assetChanges))
        const sent = authorizations ? [] : transactions
        if (sent.length > 0) await requireRealChanges(world, sent, tenderly.assetChanges)
      },
    })
    const fails = (name: string, transactions: Transaction[]): Check => ({
      name,
      async run() {
        const [tenderly, simulateV1] = await Promise.all(
          backends.map((backend) =>
            by(backend, transactions).then(
              () => undefined,
              (error: Error) => error,
            ),
          ),
        )
        require(tenderly?.name === 'SimulationRevertedError', `the error is ${tenderly}`)
        requireSame('the kind of error', tenderly.name, simulateV1?.name)
      },
    })
    return checksOf(world, same, fails)
  },
}

type Make = (name: string, transactions: Transaction[], authorizations?: object[]) => Check

function checksOf({ owner: from, other, uniswap, treasury }: World, same: Make, fails: Make): Check[] {
  const { tokenA, tokenB, router, weth } = uniswap
  const token = (to: Address, functionName: 'transfer' | 'approve', at: Address, amount: bigint): Transaction => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName, args: [at, amount] })
    return { from, to, data }
  }
  const swap = (amountIn: bigint): Transaction => ({
    from,
    to: router,
    data: encodeFunctionData({
      abi: artifacts.UniswapV2Router02.abi,
      functionName: 'swapExactTokensForTokens',
      args: [amountIn, 0n, [tokenA, tokenB], other, never],
    }),
  })
  const wethCall = (functionName: 'deposit' | 'withdraw', value: bigint): Transaction => ({
    from,
    to: weth,
    data:
      functionName === 'deposit'
        ? encodeFunctionData({ abi: artifacts.WETH9.abi, functionName })
        : encodeFunctionData({ abi: artifacts.WETH9.abi, functionName, args: [value] }),
    ...(functionName === 'deposit' && { value }),
  })
  const ether = (to: Address, value: bigint): Transaction => ({ from, to, data: '0x', value })
  return [
    same('transfers a token', [token(tokenA, 'transfer', other, one)]),
    same('sends ether', [ether(other, one)]),
    same('swaps', [swap(one)]),
    same('wraps ether', [wethCall('deposit', one)]),
    same('wraps and unwraps ether', [wethCall('deposit', 3n * one), wethCall('withdraw', one)]),
    same('approves, swaps, transfers and sends ether in one sequence', [
      token(tokenA, 'approve', router, 5n * one),
      swap(5n * one),
      token(tokenB, 'transfer', treasury, 2n * one),
      ether(other, 3n),
    ]),
    same(
      'transfers what an authorization allows',
      [swap(one)],
      [{ type: 'signature', token: tokenA, spender: router, amount: one }],
    ),
    fails('reports a revert with a reason', [token(tokenA, 'transfer', other, 10n ** 40n)]),
    fails('reports a revert within a sequence', [ether(other, 1n), wethCall('withdraw', 10n ** 40n)]),
  ]
}

/** Without what only eth_simulateV1 has: logs of moved ether. */
function plain({ calls, transfers }: Simulated) {
  return {
    calls: calls.map(({ logs, ...call }) => ({
      ...call,
      logs: logs
        .filter(({ address }) => address.toLowerCase() !== ethAddress)
        .map(({ address, topics, data }) => ({ address: getAddress(address), topics, data })),
    })),
    transfers: transfers.filter(({ token }) => token.toLowerCase() !== ethAddress),
  }
}

/**
 * By account and token. Without the zero address: a mint has no sender in Tenderly's answers, and a burn no recipient.
 * Symbols and decimals are in Tenderly's answers only.
 */
function diffs(changes: Changes): [Address, Address, bigint][] {
  return changes
    .filter(({ account }) => account !== zeroAddress)
    .flatMap(({ account, changes: own }) =>
      own.map(({ token, diff }): [Address, Address, bigint] => [account, token, diff]),
    )
}

/** Sends the transactions, and compares the balances that they change with the simulated changes. */
async function requireRealChanges(world: World, transactions: readonly Transaction[], changes: Changes): Promise<void> {
  const { client, owner } = world
  const simulated = diffs(changes)
  const read = (account: Address, token: Address) =>
    token === ethAddress
      ? client.getBalance({ address: account })
      : client.readContract({ abi: erc20Abi, address: token, functionName: 'balanceOf', args: [account] })
  await world.undone(async () => {
    const readAll = async () => {
      const values: bigint[] = []
      for (const [account, token] of simulated) values.push(await read(account, token))
      return values
    }
    const before = await readAll()
    let fees = 0n
    for (const { to, data, value } of transactions) {
      const receipt = await requireSuccess(client, await client.sendTransaction({ to, data, value, gas: 500_000n }))
      fees += receipt.gasUsed * receipt.effectiveGasPrice
    }
    const after = await readAll()
    const real = simulated.map(([account, token], index): [Address, Address, bigint] => {
      const paid = account === owner && token === ethAddress ? fees : 0n
      return [account, token, (after[index] ?? 0n) - (before[index] ?? 0n) + paid]
    })
    requireSame('the simulated changes of balances', simulated, real)
  })
}
