import { exampleTransfer } from '../alchemy/examples.ts'

/** A transfer of 25 tokens. */
const { from, to: token, data: input } = exampleTransfer
const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const amount = '25000000'
const word = (value: string) => `0x${value.replace(/^0x/, '').padStart(64, '0')}`

const parameter = (name: string, type: string, value: string, indexed: boolean | null = null) => ({
  name,
  type,
  components: null,
  indexed,
  value,
})
const transfer = {
  name: 'transfer',
  signature: 'transfer(address,uint256)',
  args: [parameter('to', 'address', to), parameter('amount', 'uint256', amount)],
}
const returned = [parameter('', 'bool', 'true')]
const total = { kind: 'erc20', token, tokenId: null }
const slot = '0x723077b8a1b173adc35e5f0e7e3662fd1208212cb629f9c128551ea7168da722'
const [gasUsed, gasPrice] = ['35388', '1000000007']

export const exampleOutcome = {
  params: [{ calls: [exampleTransfer] }],
  result: {
    block: {
      number: 7,
      hash: '0xc967b4b99a12bf3c4f024cfe16c26fb99a4071fa4be1710f4c0e972bddd291f6',
      timestamp: 1795240426,
      coinbase: '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e',
      gasLimit: '30000000',
      baseFee: '7',
      prevRandao: '0',
      blobBaseFee: '1',
      chainId: 31337,
      fork: 'osaka',
    },
    results: [
      {
        message: {
          from,
          to: token,
          value: '0',
          input,
          nonce: '0',
          gas: '30000000',
          gasPrice: '0',
          maxFeePerGas: null,
          maxPriorityFeePerGas: null,
          accessList: [],
          type: 2,
        },
        status: 'succeeded',
        gasUsed,
        gasRefund: '0',
        sufficientGas: null,
        output: word('1'),
        createdAddress: null,
        error: null,
        function: transfer,
        returned,
        logs: [
          {
            address: token,
            topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', word(from), word(to)],
            data: word('17d7840'),
            contract: 'Gold',
            event: {
              name: 'Transfer',
              signature: 'Transfer(address,address,uint256)',
              args: [
                parameter('from', 'address', from, true),
                parameter('to', 'address', to, true),
                parameter('amount', 'uint256', amount, false),
              ],
            },
            frame: 0,
          },
        ],
        frames: [
          {
            type: 'CALL',
            from,
            to: token,
            value: '0',
            gas: '29978592',
            gasUsed: '13980',
            input,
            output: word('1'),
            error: null,
            reason: null,
            revert: null,
            status: 'succeeded',
            traceAddress: [],
            subtraces: 0,
            contract: 'Gold',
            function: transfer,
            returned,
          },
        ],
        assetChanges: [
          {
            kind: 'erc20',
            type: 'transfer',
            token,
            from,
            to,
            amount,
            formatted: '25',
            tokenId: null,
            isWrap: false,
            inferred: false,
            frame: 0,
          },
        ],
        approvals: [],
        stateChanges: [
          {
            address: token,
            nonce: null,
            balance: null,
            code: null,
            isCleared: false,
            storage: [
              {
                slot,
                before: word('0'),
                after: word('17d7840'),
                variables: [
                  {
                    path: `balanceOf[${to}]`,
                    variable: 'balanceOf',
                    variableType: 'mapping(address => uint256)',
                    keys: [to],
                    type: 'uint256',
                    offset: 0,
                    bytes: 32,
                    before: '0',
                    after: amount,
                  },
                ],
              },
            ],
          },
        ],
        balanceChanges: [
          {
            address: from,
            transfers: [0],
            assets: [{ ...total, in: '0', out: amount, net: `-${amount}`, formatted: '-25' }],
          },
          { address: to, transfers: [0], assets: [{ ...total, in: amount, out: '0', net: amount, formatted: '25' }] },
        ],
        accessList: [{ address: token, storageKeys: [slot] }],
        fee: {
          gasPrice,
          baseFee: '7',
          gas: (BigInt(gasUsed) * BigInt(gasPrice)).toString(),
          blobs: '0',
          l1: null,
          total: (BigInt(gasUsed) * BigInt(gasPrice)).toString(),
          isCharged: false,
        },
        contracts: [
          {
            address: token,
            name: 'Gold',
            source: 'import',
            isAbiKnown: true,
            implementations: [],
            isCreated: false,
            token: { kind: 'erc20', name: 'Gold', symbol: 'GOLD', decimals: 6, problems: [] },
          },
        ],
        truncated: [],
      },
    ],
    failed: null,
    isUndone: false,
  },
}
