import type { SampleNetwork } from './startSampleNetwork.ts'

/** Where the contracts of the sample chain are, as its start prints them. */
export const sample = {
  gold: '0x252bFe6BA05B239912fE0F8f514b3564F40A7A96',
  dollar: '0x0b46c36BF8fD336D244216415Ed0DC2e38c3ca81',
  pool: '0x64A6714075b7590f8b07D07a5B431409337de29B',
  priceFeed: '0xD13fF7e92b58C0B221A612abbD33960E6F2D4D72',
  proxyToken: '0xa19dd5DE999CC9976E5e6fD390b31BB6E75d0890',
} as const

/** What has happened on a network before it is looked at. */
export type Story = {
  /** A block that holds the payment. */
  block: number
  /** The hash of a token transfer. */
  transfer: string
  sender: string
}

/** Does on a fork of the sample chain what its users do. */
export async function prepareStory({ rpc }: SampleNetwork): Promise<Story> {
  const [sender = '', other = ''] = await rpc<string[]>('eth_accounts')
  await rpc('eth_sendTransaction', { from: sender, to: other, value: '0xde0b6b3a7640000' })
  const data = `0xa9059cbb${other.slice(2).padStart(64, '0')}${(10n ** 18n).toString(16).padStart(64, '0')}`
  const transfer = await rpc<string>('eth_sendTransaction', { from: sender, to: sample.gold, data })
  await rpc('dev_addFunctionOverride', {
    contractAddress: sample.priceFeed,
    functionAbi: 'function latestAnswer() view returns (int256)',
    returnValues: ['150000000000'],
  })
  await rpc('dev_followTokenBalance', sample.dollar, other)
  await rpc('dev_impersonateAccount', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045')
  const receipt = await rpc<{ blockNumber: string }>('eth_getTransactionReceipt', transfer)
  return { block: Number(receipt.blockNumber), transfer, sender }
}
