import { keccak256, stringToBytes, type TransactionSerializable, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { decodeTransaction, signTransaction } from './transaction.ts'

const to = '0x00000000000000000000000000000000000000aa'
const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
const hash = keccak256('0x01')

const transactions: TransactionSerializable[] = [
  { type: 'legacy', chainId: 1, nonce: 0, to, value: 1n, gas: 21_000n, gasPrice: 10n ** 9n },
  { type: 'eip2930', chainId: 1, nonce: 1, data: '0x6000', gas: 90_000n, gasPrice: 7n, accessList: [] },
  { type: 'eip1559', chainId: 31337, nonce: 300, to, gas: 21_000n, ...fees },
  {
    type: 'eip4844',
    chainId: 1,
    to,
    gas: 21_000n,
    ...fees,
    maxFeePerBlobGas: 1n,
    blobVersionedHashes: [`0x01${hash.slice(4)}`],
  },
  { type: 'eip7702', chainId: 1, to, gas: 50_000n, ...fees, authorizationList: [] },
]

test.each(transactions)("signs a transaction of type $type as viem's accounts do", async (transaction) => {
  for (let index = 0; index < 20; index++) {
    const privateKey = keccak256(stringToBytes(`key ${index}`), 'bytes')
    const account = privateKeyToAccount(toHex(privateKey))
    const signed = signTransaction(transaction, privateKey)
    expect(signed).toBe(await account.signTransaction(transaction))
    expect(decodeTransaction(signed).from).toBe(account.address.toLowerCase())
  }
})
