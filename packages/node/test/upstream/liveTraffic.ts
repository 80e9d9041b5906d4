import {
  type Anvil,
  artifacts,
  createRandom,
  deployUniswapV2,
  startAnvil,
  type TestClient,
  type UniswapV2,
} from '@understudy/testkit'
import { encodeFunctionData, type Hex, numberToHex, parseEther, parseGwei } from 'viem'

export type Receipt = {
  transactionHash: Hex
  to: Hex | null
  status: Hex
  gasUsed: Hex
  logs: { address: Hex; topics: Hex[]; data: Hex }[]
}

const never = 2n ** 64n - 1n
const router = artifacts.UniswapV2Router02.abi
const token = artifacts.PlainToken.abi

/** A live chain with Uniswap V2, two tokens that its ten accounts hold, and bots that trade, send tokens and send ether. */
export async function startTraffic(anvil: Anvil, client: TestClient, seed: number) {
  const uniswap = await deployUniswapV2(client)
  const accounts = await anvil.rpc<Hex[]>('eth_accounts')
  const random = createRandom(seed)
  const nonces = new Map<Hex, number>()
  /** Reads the nonces of the accounts. */
  async function renew(): Promise<void> {
    for (const account of accounts)
      nonces.set(account, Number(await anvil.rpc<Hex>('eth_getTransactionCount', [account, 'latest'])))
  }
  await renew()
  await anvil.rpc('evm_setAutomine', [false])

  async function send(from: Hex, to: Hex, data: Hex | undefined, value = 0n, gas = 300_000): Promise<Hex> {
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    const request = { from, to, data, value: numberToHex(value), nonce: numberToHex(nonce), gas: numberToHex(gas) }
    const fees = { maxFeePerGas: numberToHex(parseGwei('1000')), maxPriorityFeePerGas: numberToHex(parseGwei('1')) }
    return anvil.rpc('eth_sendTransaction', [{ ...request, ...fees }])
  }
  async function mine(): Promise<void> {
    await anvil.rpc('evm_mine')
  }

  const [owner = '0x'] = accounts
  for (const tokenOf of [uniswap.tokenA, uniswap.tokenB]) {
    const amount = parseEther('10000')
    for (const account of accounts.slice(1))
      await send(owner, tokenOf, encodeFunctionData({ abi: token, functionName: 'transfer', args: [account, amount] }))
    await mine()
    const args = [uniswap.router, 2n ** 255n] as const
    for (const account of accounts.slice(1))
      await send(account, tokenOf, encodeFunctionData({ abi: token, functionName: 'approve', args }))
    await mine()
  }

  /** Sends something of one of the bots. */
  async function trade(given?: 'ether' | 'token' | 'swap'): Promise<Hex> {
    const from = random.pick(accounts)
    const amount = BigInt(random.integer(1, 1_000_000)) * 10n ** 12n
    const kind = given ?? random.pick(['ether', 'token', 'swap', 'swap'] as const)
    if (kind === 'ether') return send(from, random.pick(accounts), undefined, amount)
    const [first, second] = random.chance(0.5) ? [uniswap.tokenA, uniswap.tokenB] : [uniswap.tokenB, uniswap.tokenA]
    if (kind === 'token') {
      const args = [random.pick(accounts), amount] as const
      return send(from, first, encodeFunctionData({ abi: token, functionName: 'transfer', args }))
    }
    const args = [amount, 0n, [first, second], from, never] as const
    return send(
      from,
      uniswap.router,
      encodeFunctionData({ abi: router, functionName: 'swapExactTokensForTokens', args }),
    )
  }

  return {
    uniswap: uniswap as UniswapV2,
    accounts,
    send,
    mine,
    trade,
    renew,
    /** So many blocks with so many transactions each. */
    async run(blocks: number, transactions: number): Promise<void> {
      for (let block = 0; block < blocks; block++) {
        for (let index = 0; index < transactions; index++) await trade()
        await mine()
      }
    },
  }
}

/** The receipts of the blocks after one, up to `last`: the head by default. */
export async function receiptsAfter(anvil: Pick<Anvil, 'rpc'>, block: bigint, last?: bigint): Promise<Receipt[]> {
  const end = last ?? BigInt(await anvil.rpc<Hex>('eth_blockNumber'))
  const found: Receipt[] = []
  for (let number = block + 1n; number <= end; number++)
    found.push(...(await anvil.rpc<Receipt[]>('eth_getBlockReceipts', [numberToHex(number)])))
  return found
}

/**
 * Runs every transaction after a block again, up to those of `last` (the head by default), on an anvil that forks there and
 * was changed. Returns its receipts.
 */
export async function runAgain(
  live: Anvil,
  block: bigint,
  change: (anvil: Anvil) => Promise<unknown>,
  last?: bigint,
): Promise<Receipt[]> {
  const args = ['--fork-url', live.url, '--fork-block-number', String(block), '--no-mining', '--order', 'fifo']
  const again = await startAnvil({ args })
  try {
    await change(again)
    const end = last ?? BigInt(await live.rpc<Hex>('eth_blockNumber'))
    for (let number = block + 1n; number <= end; number++) {
      const { timestamp, transactions } = await live.rpc<{ timestamp: Hex; transactions: Record<string, Hex>[] }>(
        'eth_getBlockByNumber',
        [numberToHex(number), true],
      )
      for (const { from, to, input, value, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } of transactions)
        await again.rpc('eth_sendTransaction', [
          { from, to, data: input, value, nonce, gas, maxFeePerGas, maxPriorityFeePerGas },
        ])
      await again.rpc('evm_setNextBlockTimestamp', [timestamp])
      await again.rpc('evm_mine')
    }
    return await receiptsAfter(again, block)
  } finally {
    await again.stop()
  }
}

/** The hashes of the transactions whose receipts are not the same. */
export function differing(
  live: readonly Receipt[],
  again: readonly Receipt[],
  read: (receipt: Receipt) => unknown,
): Hex[] {
  const byHash = new Map(again.map((receipt) => [receipt.transactionHash, JSON.stringify(read(receipt))]))
  return live
    .filter((receipt) => byHash.get(receipt.transactionHash) !== JSON.stringify(read(receipt)))
    .map(({ transactionHash }) => transactionHash)
}
