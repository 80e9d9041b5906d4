import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV2,
  deployUniswapV3,
  type Random,
} from '@understudy/testkit'
import { type Abi, type Address, encodeFunctionData, type Hex, numberToHex, parseEther, parseGwei } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** The share of transactions that use the lending market. */
const lendingShare = 0.2
const never = 2n ** 64n - 1n
const everything = 2n ** 256n - 1n

/** What the market needs of a live chain: anvil, or another node with its methods. */
export type LiveChain = Pick<Anvil, 'url' | 'rpc'> & {
  /** Of its funded accounts, if they are not those of anvil. */
  mnemonic?: string
  /** Sends several calls in one request; `undefined` where they are sent one by one. */
  batch?(calls: readonly Request[]): Promise<void>
}

type Request = { method: string; params: readonly unknown[] }

/** A live chain with traders on Uniswap V2 and V3, borrowers, liquidators, bidders, and a market that is upgraded. */
export type Market = {
  readonly lending: Address
  /** What the traders call, and the tokens that those move. */
  readonly contracts: readonly Address[]
  /** The accounts that send its transactions. */
  readonly traders: readonly Address[]
  /**
   * Sends so many transactions, and mines a block of them. `lends`: the share that uses the lending market; by default,
   * as the choice of bots falls.
   */
  block(transactions: number, lends?: number): Promise<void>
}

type Call = { to: Address; abi?: Abi; functionName?: string; args?: readonly unknown[]; value?: bigint }

export async function openMarket(anvil: LiveChain, random: Random): Promise<Market> {
  const client = await connectClient(anvil.url, anvil.mnemonic ? mnemonicToAccount(anvil.mnemonic) : undefined)
  const v2 = await deployUniswapV2(client)
  const v3 = await deployUniswapV3(client)
  const lending = await deployContract(client, artifacts.LendingMarket)
  const auction = await deployContract(client, artifacts.Auction)
  const { PlainToken, UniswapV2Router02, SwapRouter, LendingMarket, Auction, UpgradeableMarket } = artifacts
  const versions = [
    await deployContract(client, UpgradeableMarket),
    await deployContract(client, UpgradeableMarket),
  ] as const
  const initialize = { functionName: 'initialize', args: [v2.tokenA, v2.tokenB, v2.pair] } as const
  const proxied = await deployContract(client, artifacts.MarketProxy, [
    versions[0],
    encodeFunctionData({ abi: LendingMarket.abi, ...initialize }),
  ])
  const accounts = await anvil.rpc<Address[]>('eth_accounts')
  const nonces = new Map<Address, number>()
  for (const account of accounts)
    nonces.set(account, Number(await anvil.rpc<Hex>('eth_getTransactionCount', [account, 'latest'])))
  await anvil.rpc('evm_setAutomine', [false])

  function request(from: Address, { to, abi, functionName = '', args = [], value = 0n }: Call): Request {
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    const data = abi && encodeFunctionData({ abi, functionName, args })
    const fees = { maxFeePerGas: numberToHex(parseGwei('1000')), maxPriorityFeePerGas: numberToHex(parseGwei('1')) }
    const amounts = { value: numberToHex(value), nonce: numberToHex(nonce), gas: numberToHex(400_000) }
    return { method: 'eth_sendTransaction', params: [{ from, to, data, ...amounts, ...fees }] }
  }
  async function send(from: Address, call: Call): Promise<void> {
    const { method, params } = request(from, call)
    await anvil.rpc(method, params)
  }
  const mine = () => anvil.rpc('evm_mine')
  const token = { abi: PlainToken.abi as Abi }
  const [owner = '0x'] = accounts

  await send(owner, {
    to: lending,
    abi: LendingMarket.abi,
    ...initialize,
  })
  for (const market of [lending, proxied])
    await send(owner, { to: v2.tokenB, ...token, functionName: 'transfer', args: [market, parseEther('100000')] })
  await mine()
  for (const address of [v2.tokenA, v2.tokenB, v3.tokenA, v3.tokenB]) {
    for (const account of accounts.slice(1))
      await send(owner, { to: address, ...token, functionName: 'transfer', args: [account, parseEther('10000')] })
    for (const account of accounts)
      for (const spender of [v2.router, v3.router, lending, proxied])
        await send(account, { to: address, ...token, functionName: 'approve', args: [spender, everything] })
    await mine()
  }

  /** What a bot does next; some of it fails. */
  function next(from: Address, market: Address | undefined): Call {
    const amount = BigInt(random.integer(1, 1_000_000)) * 10n ** 13n
    const pool = random.chance(0.5) ? v2 : v3
    const [sold, bought] = random.chance(0.5) ? [pool.tokenA, pool.tokenB] : [pool.tokenB, pool.tokenA]
    const lends = (functionName: string, args: unknown[]): Call => ({
      to: market ?? proxied,
      abi: LendingMarket.abi,
      functionName,
      args,
    })
    const kind = market === lending ? 5 + random.below(3) : random.below(11)
    if (kind === 0) return { to: random.pick(accounts), value: amount }
    if (kind === 1) return { to: sold, ...token, functionName: 'transfer', args: [random.pick(accounts), amount] }
    if (kind < 5 && pool === v2) {
      const args = [amount * 20n, 0n, [sold, bought], from, never]
      return { to: v2.router, abi: UniswapV2Router02.abi, functionName: 'swapExactTokensForTokens', args }
    }
    if (kind < 5) {
      const swap = { tokenIn: sold, tokenOut: bought, fee: 3000, recipient: from, deadline: never, amountIn: amount }
      const args = [{ ...swap, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }]
      return { to: v3.router, abi: SwapRouter.abi, functionName: 'exactInputSingle', args }
    }
    if (kind === 5) return lends('deposit', [amount])
    if (kind === 6) return lends('borrow', [(amount * 3n) / 4n])
    if (kind === 7) return random.chance(0.3) ? lends('repay', [amount]) : lends('liquidate', [random.pick(accounts)])
    if (kind === 10) {
      const args = [random.pick(versions), '0x']
      return { to: proxied, abi: UpgradeableMarket.abi, functionName: 'upgradeToAndCall', args }
    }
    const bids = { to: auction, abi: Auction.abi as Abi }
    return kind === 8 ? { ...bids, functionName: 'bid', value: amount } : { ...bids, functionName: 'settle' }
  }

  return {
    lending,
    contracts: [
      lending,
      proxied,
      auction,
      ...[v2, v3].flatMap(({ router, tokenA, tokenB }) => [router, tokenA, tokenB]),
    ],
    traders: accounts,
    async block(transactions, lends = lendingShare) {
      const requests = Array.from({ length: transactions }, () => {
        const from = random.pick(accounts)
        return request(from, next(from, random.chance(lends) ? lending : undefined))
      })
      if (anvil.batch) await anvil.batch(requests)
      else for (const { method, params } of requests) await anvil.rpc(method, params)
      await mine()
    },
  }
}
