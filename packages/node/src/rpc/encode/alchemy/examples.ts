/** A transfer of 25 tokens, in the forms of Alchemy's API. */
const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'] as const
const token = '0xd13ff7e92b58c0b221a612abbd33960e6f2d4d72'
const word = (value: string) => value.slice(2).padStart(64, '0')
const amount = 25_000_000n
const hexAmount = `0x${amount.toString(16)}`

export const exampleTransfer = { from, to: token, data: `0xa9059cbb${word(to)}${word(hexAmount)}` }

export const exampleAssetChanges = {
  changes: [
    {
      assetType: 'ERC20',
      changeType: 'TRANSFER',
      from,
      to,
      rawAmount: amount.toString(),
      amount: '25',
      contractAddress: token,
      tokenId: null,
      decimals: 6,
      symbol: 'GOLD',
      name: 'Gold',
      logo: null,
    },
  ],
  gasUsed: '0x8a3c',
  error: null,
}

const inputs = [
  { name: 'to', type: 'address', value: to },
  { name: 'amount', type: 'uint256', value: amount.toString() },
]
const logInputs = [{ name: 'from', type: 'address', value: from }, ...inputs]

export const exampleExecution = {
  calls: [
    {
      type: 'CALL',
      from,
      to: token,
      value: '0x0',
      gas: '0x1c9c380',
      gasUsed: '0x3558',
      input: exampleTransfer.data,
      output: `0x${word('0x1')}`,
      decoded: {
        authority: 'ETHERSCAN',
        methodName: 'transfer',
        inputs,
        outputs: [{ name: '', type: 'bool', value: 'true' }],
      },
    },
  ],
  logs: [
    {
      address: token,
      topics: [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        `0x${word(from)}`,
        `0x${word(to)}`,
      ],
      data: `0x${word(hexAmount)}`,
      decoded: {
        authority: 'ETHERSCAN',
        eventName: 'Transfer',
        inputs: logInputs.map((input) => ({ ...input, indexed: input.type === 'address' })),
      },
    },
  ],
  error: null,
  revertReason: null,
}
