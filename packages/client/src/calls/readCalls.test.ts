import {
  encodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  parseAbi,
  parseEther,
  serializeTransaction,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { CallReader, Given } from './callText.ts'
import { readCalls } from './readCalls.ts'

const a = `0x${'a1'.repeat(20)}` as const
const b = `0x${'b2'.repeat(20)}` as const
const safe = `0x${'5a'.repeat(20)}` as const
const signer = privateKeyToAccount(`0x${'17'.repeat(32)}`)
const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function getOwners() view returns (address[])',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
])
const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [b, 5n] })

const reader: CallReader = {
  async call({ to }) {
    if (to !== safe) throw new Error('execution reverted')
    return encodeFunctionResult({ abi, functionName: 'getOwners', result: [a, b] })
  },
  encode: (fragment, values) => encodeFunctionData({ abi: [fragment], args: values } as never),
}
const read = (text: unknown, given: Given = {}) =>
  readCalls(typeof text === 'string' ? text : JSON.stringify(text), given, reader)

describe('transactions in JSON', () => {
  it('reads what wallets show, with quantities in each of their forms', async () => {
    const shown = {
      from: a,
      to: b,
      value: '1000',
      gasLimit: 21000,
      nonce: 7,
      data: null,
      chainId: '0x1',
      type: 'eip1559',
    }
    expect(await read(shown)).toEqual({ calls: [{ from: a, to: b, value: '0x3e8', gas: '0x5208' }] })
    const ofEthers = { to: b, value: { type: 'BigNumber', hex: '0x0a' }, data: '0x' }
    expect(await read(ofEthers, { from: a })).toEqual({ calls: [{ from: a, to: b, value: '0xa', data: '0x' }] })
  })

  it('reads several in a list, and the requests of wallets', async () => {
    const calls = [
      { from: a, to: b },
      { from: a, data: '0x6001' },
    ]
    expect(await read(calls)).toEqual({ calls })
    expect(await read({ id: 1, method: 'eth_sendTransaction', params: [calls[0]] })).toEqual({ calls: [calls[0]] })
    const bundle = {
      version: '2.0.0',
      from: a,
      chainId: '0x1',
      atomicRequired: true,
      calls: [{ to: b }, { to: b, data: '0x01' }],
    }
    expect(await read({ method: 'wallet_sendCalls', params: [bundle] })).toEqual({
      onFailure: 'revert',
      calls: [
        { from: a, to: b },
        { from: a, to: b, data: '0x01' },
      ],
    })
  })

  it('keeps what else a request of dev_simulate says', async () => {
    const request = { calls: [{ to: b }], block: 17, stateOverrides: { [a]: { balance: '0x1' } }, onFailure: 'stop' }
    expect(await read({ ...request, hello: 1 })).toEqual(request)
  })

  it('reads a transaction that was answered, which has both prices and what follows from its block', async () => {
    const answered = {
      hash: `0x${'1'.repeat(64)}`,
      blockNumber: '0x5',
      from: a,
      to: b,
      input: transfer,
      gas: '0x9',
      gasPrice: '0x7',
      maxFeePerGas: '0x8',
      maxPriorityFeePerGas: '0x1',
      accessList: [],
      v: '0x0',
    }
    expect(await read(answered)).toEqual({
      calls: [{ from: a, to: b, data: transfer, gas: '0x9', maxFeePerGas: '0x8', maxPriorityFeePerGas: '0x1' }],
    })
  })
})

describe('hex', () => {
  const transaction = { chainId: 1, nonce: 3, to: b, value: parseEther('1'), data: transfer, gas: 60_000n } as const
  const call = { to: b, value: '0xde0b6b3a7640000', data: transfer, gas: '0xea60' }

  it('reads encoded transactions, and finds who signed them', async () => {
    const types = [
      { type: 'legacy', gasPrice: 7n },
      { type: 'eip2930', gasPrice: 7n },
      { type: 'eip1559', maxFeePerGas: 7n },
    ] as const
    for (const fees of types) {
      const priced = { ...call, ...('gasPrice' in fees ? { gasPrice: '0x7' } : { maxFeePerGas: '0x7' }) }
      const fields = { ...transaction, ...fees }
      expect(await read(serializeTransaction(fields), { from: a })).toEqual({ calls: [{ from: a, ...priced }] })
      const signed = await signer.signTransaction(fields)
      expect(await read(`${signed.slice(0, 40)}\n${signed.slice(40)}\n`)).toEqual({
        calls: [{ from: signer.address, ...priced }],
      })
    }
  })

  it('reads call data when it is said which contract is called', async () => {
    expect(await read(transfer, { from: a, to: b })).toEqual({ calls: [{ from: a, to: b, data: transfer }] })
    await expect(read(transfer)).rejects.toThrow('to: is missing')
  })

  it('takes no call data for a transaction, also if it begins like one', async () => {
    const like = `0xc6010203${'00'.repeat(64)}` as Hex
    await expect(read(like)).rejects.toThrow('to: is missing')
  })
})

describe('transactions of a Safe', () => {
  const service = {
    safe,
    to: b,
    value: '0',
    data: transfer,
    operation: 1,
    gasToken: null,
    safeTxGas: 0,
    baseGas: 0,
    gasPrice: '0',
    refundReceiver: null,
    nonce: 12,
    confirmations: [],
  }

  it('executes one of the transaction service as one of the owners, whose signature is enough', async () => {
    const { calls, stateOverrides } = await read(service)
    expect(calls).toMatchObject([{ from: getAddress(a), to: safe }])
    expect(stateOverrides).toEqual({
      [safe]: { stateDiff: { [`0x${'4'.padStart(64, '0')}`]: `0x${'1'.padStart(64, '0')}` } },
    })
    const signature = `0x${a.slice(2).padStart(64, '0')}${'0'.repeat(64)}01` as const
    const none = `0x${'0'.repeat(40)}` as const
    expect(calls[0]?.data).toBe(
      encodeFunctionData({
        abi,
        functionName: 'execTransaction',
        args: [b, 0n, transfer, 1, 0n, 0n, 0n, none, none, signature],
      }),
    )
    expect((await read(service, { from: b })).calls).toMatchObject([{ from: b, to: safe }])
  })

  it('sends those of the transaction builder from the Safe, all or none', async () => {
    const inputs = [
      { name: 'to', type: 'address', internalType: 'address' },
      { name: 'amount', type: 'uint256' },
    ]
    const batch = {
      version: '1.0',
      chainId: '1',
      meta: { createdFromSafeAddress: safe },
      transactions: [
        { to: b, value: '1', data: null, contractMethod: null, contractInputsValues: null },
        {
          to: b,
          value: '0',
          data: null,
          contractMethod: { name: 'transfer', payable: false, inputs },
          contractInputsValues: { to: b, amount: '5' },
        },
        { to: b, value: '0', data: transfer },
      ],
    }
    expect(await read(batch)).toEqual({
      onFailure: 'revert',
      calls: [
        { from: safe, to: b, value: '0x1' },
        { from: safe, to: b, value: '0x0', data: transfer },
        { from: safe, to: b, value: '0x0', data: transfer },
      ],
    })
  })
})

it.each<[string, unknown, string]>([
  ['nothing', '', 'text: expected JSON, an encoded transaction or call data in hex'],
  ['broken JSON', '{"to":', 'text: looks like JSON, and is not'],
  ['no call', { hello: 1 }, 'text: has neither to nor data'],
  ['no call in a list', [{ to: b }, 5], '[1]: expected an object, got 5'],
  ['an empty list', [], 'calls: expected at least one'],
  ['too many', Array.from({ length: 1001 }, () => ({ to: b })), 'calls: expected at most 1000, got 1001'],
  ['a wrong address', { to: '0x12' }, 'to: expected an address, got "0x12"'],
  ['a wrong value', { calls: [{ to: b }, { to: b, value: -1 }] }, 'calls[1].value: expected a whole number'],
  ['odd data', { to: b, data: '0x123' }, 'data: expected 0x-hex bytes, got "0x123"'],
  ['two data', { to: b, data: '0x12', input: '0x34' }, 'input: differs from data'],
  ['a wrong list', { to: b, accessList: ['0x'] }, 'accessList: expected a list of objects'],
  ['a Safe that is not there', { safe: a, to: b, operation: 0 }, `safe: no Safe with owners is at ${a}`],
  [
    'an operation that no Safe has',
    { safe, to: b, operation: 2 },
    'operation: expected 0 (call) or 1 (delegatecall), got 2',
  ],
  ['a batch without a receiver', { transactions: [{ value: '0' }] }, 'transactions[0].to: is missing'],
  [
    'a batch with a wrong method',
    { transactions: [{ to: b, contractMethod: { name: 'f', inputs: [1] } }] },
    'transactions[0].contractMethod: expected a function',
  ],
])('names what is wrong: %s', async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(message)
})

it('refuses a text that is too long', async () => {
  await expect(read(`0x${'00'.repeat(2_000_000)}`)).rejects.toThrow('text: has more than 4000000 characters')
})
