import { encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi, parseEther } from 'viem'
import { importedSample } from './sampleProject.ts'
import type { SampleNetwork } from './startSampleNetwork.ts'

/** Where the contracts of the sample chain are, as its start prints them. */
export const sample = {
  gold: '0x252bFe6BA05B239912fE0F8f514b3564F40A7A96',
  dollar: '0x0b46c36BF8fD336D244216415Ed0DC2e38c3ca81',
  pool: '0x64A6714075b7590f8b07D07a5B431409337de29B',
  priceFeed: '0xD13fF7e92b58C0B221A612abbD33960E6F2D4D72',
  collectible: '0x256a04F58FF61fd17cDc9c3cD0DFfe9B6CEB7e9C',
  proxyToken: '0xa19dd5DE999CC9976E5e6fD390b31BB6E75d0890',
} as const

/** What has happened on a network before it is looked at. */
export type Story = {
  /** A block that holds the trade. */
  block: number
  /** The hash of the last trade in the pool, a second or more after the one before: it changes the pool's time, too. */
  trade: string
  sender: string
  /** Ids of tracked items. */
  tracked: string[]
  /** Ids of the pool's workspace and of a wallet's. */
  workspaces: string[]
}

const poolAbi = parseAbi(['function swap(address tokenIn, uint256 amountIn, uint256 minimum, address to)'])

type Imported = { contracts: { projectContractId: string }[] }
type Added = { wallet: { id: string } }

/** Does on a fork of the sample chain what its users do; `paceMs` apart, so that charts have a width. */
export async function prepareStory({ rpc }: SampleNetwork, { paceMs = 0 } = {}): Promise<Story> {
  const [sender = '', other = ''] = await rpc<Hex[]>('eth_accounts')
  const send = (to: string, data: Hex, value = 0n) =>
    rpc<Hex>('eth_sendTransaction', { from: sender, to, data, value: `0x${value.toString(16)}` })
  const tracked = await trackItems(rpc, sender)
  await rpc('dev_addFunctionOverride', {
    contractAddress: sample.priceFeed,
    functionAbi: 'function latestAnswer() view returns (int256)',
    returnValues: ['150000000000'],
  })
  await rpc('dev_followTokenBalance', sample.dollar, other)
  await rpc('dev_impersonateAccount', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045')

  for (const token of [sample.gold, sample.dollar])
    await send(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [sample.pool, maxUint256] }))
  let trade: Hex = '0x'
  const lastStep = 23
  for (let step = 0; step <= lastStep; step++) {
    const sellsGold = step % 5 < 2
    const amount = parseEther(String(sellsGold ? 0.4 + (step % 3) / 5 : 700 + step * 20))
    const args = [sellsGold ? sample.gold : sample.dollar, amount, 0n, sender as Hex] as const
    if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs))
    if (step === lastStep) await rpc('evm_increaseTime', 1)
    trade = await send(sample.pool, encodeFunctionData({ abi: poolAbi, functionName: 'swap', args }))
  }
  await send(other, '0x', parseEther('1'))
  const pool = await importedSample('Pool', 'Gold market')
  const { contracts } = await rpc<Imported>('dev_importContracts', { contracts: [pool] })
  const { wallet } = await rpc<Added>('dev_addWorkspace', { name: 'Trading desk', address: other })
  const receipt = await rpc<{ blockNumber: string }>('eth_getTransactionReceipt', trade)
  return {
    block: Number(receipt.blockNumber),
    trade,
    sender,
    tracked,
    workspaces: [contracts[0]?.projectContractId ?? '', wallet.id],
  }
}

/** Tracks two values of the pool and one of an account. Answers the ids of the items. */
export async function trackItems(rpc: SampleNetwork['rpc'], account: string): Promise<string[]> {
  const items = [
    {
      address: sample.pool,
      name: 'Dollar reserve',
      type: 'function-result',
      functionAbi: 'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 at)',
      functionOutputPath: 'reserve0',
      tags: ['pool'],
    },
    {
      address: sample.gold,
      name: 'Gold in the pool',
      type: 'erc20-balance',
      functionArgs: JSON.stringify([sample.pool]),
      tags: ['pool'],
    },
    { address: account, name: 'Ether of account 0', type: 'native-token-balance' },
  ]
  const ids: string[] = []
  for (const item of items) ids.push((await rpc<{ id: string }>('dev_addTrackedData', item)).id)
  return ids
}
