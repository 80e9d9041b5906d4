import type { Random } from '@understudy/testkit'
import { type Anvil, artifacts, connectClient, deployUniswapV2, postJsonRpc, type UniswapV2 } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseEther } from 'viem'
import type { Signer } from './signer.ts'

const never = 2n ** 64n - 1n
/** The recipients: few, so that the state stops growing. */
const recipients = 10_000

/** Tokens and a pool on the live chain, which the network's accounts trade. */
export type Market = {
  /** Gives an account of the network tokens to trade, with `dev_` methods. Returns its approval, to be sent. */
  join(url: string, signer: Signer): Promise<Hex>
  /** A signed transaction: five of ten send ether, three send a token, and two swap. */
  next(signer: Signer, random: Random): Hex
  /** Tracked items of the market. */
  readonly tracked: readonly Record<string, unknown>[]
}

export async function openMarket(anvil: Anvil): Promise<Market> {
  const uniswap = await deployUniswapV2(await connectClient(anvil.url))
  const { tokenA, tokenB, router, pair } = uniswap
  const functionAbi = 'function balanceOf(address) view returns (uint256)'
  return {
    tracked: [
      { address: tokenA, name: 'reserve', type: 'erc20-balance', functionAbi, functionArgs: JSON.stringify([pair]) },
      { address: pair, name: 'ether', type: 'native-token-balance' },
    ],
    async join(url, signer) {
      await postJsonRpc(url, 'dev_setBalance', [signer.address, numberToHex(parseEther('1000000'))])
      for (const token of [tokenA, tokenB])
        await postJsonRpc(url, 'dev_addERC20Balance', [signer.address, token, numberToHex(parseEther('1000'))])
      return signer.sign({ to: tokenA, data: approval(router), gas: 100_000n })
    },
    next: (signer, random) => signer.sign(pick(uniswap, signer.address, random)),
  }
}

function pick({ tokenA, tokenB, router }: UniswapV2, sender: Address, random: Random) {
  const recipient = numberToHex(0xacc0_0000 + random.below(recipients), { size: 20 })
  const kind = random.below(10)
  if (kind < 5) return { to: recipient, value: 1n, gas: 21_000n }
  const { PlainToken, UniswapV2Router02 } = artifacts
  if (kind < 8) {
    const data = encodeFunctionData({ abi: PlainToken.abi, functionName: 'transfer', args: [recipient, 1n] })
    return { to: tokenB, data, gas: 100_000n }
  }
  const data = encodeFunctionData({
    abi: UniswapV2Router02.abi,
    functionName: 'swapExactTokensForTokens',
    args: [1000n, 0n, [tokenA, tokenB], sender, never],
  })
  return { to: router, data, gas: 300_000n }
}

const approval = (router: Address) =>
  encodeFunctionData({ abi: artifacts.PlainToken.abi, functionName: 'approve', args: [router, 2n ** 256n - 1n] })
