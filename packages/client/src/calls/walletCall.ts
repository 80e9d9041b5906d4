import type { Address, Hex } from 'viem'
import { addressIn, bytesIn, CallTextError, type Fields, isFields, quantityIn } from './fields.ts'

/** A call as methods take it. */
export type CallFields = {
  from?: Address
  to?: Address
  gas?: Hex
  gasPrice?: Hex
  maxFeePerGas?: Hex
  maxPriorityFeePerGas?: Hex
  value?: Hex
  data?: Hex
  accessList?: readonly object[]
  authorizationList?: readonly object[]
}

/**
 * The call of a transaction in JSON: what a wallet shows, `eth_sendTransaction` takes, or `eth_getTransactionByHash` answers.
 * Fields that say when it was or will be sent, such as its nonce, are left out. Throws `CallTextError`.
 */
export function walletCall(transaction: Fields, at: string): CallFields {
  const named = (name: string) => (at === '' ? name : `${at}.${name}`)
  const quantity = (name: string) => quantityIn(transaction[name], named(name))
  const [data, input] = [bytesIn(transaction.data, named('data')), bytesIn(transaction.input, named('input'))]
  if (data && input && data.toLowerCase() !== input.toLowerCase())
    throw new CallTextError(named('input'), 'differs from data. Pass one of them')
  const gasPrice = quantity('gasPrice')
  // Transactions that were answered have both prices: the first is what they paid.
  const maxFeePerGas = quantity('maxFeePerGas')
  const call: CallFields = {
    from: addressIn(transaction.from, named('from')),
    to: addressIn(transaction.to, named('to')),
    gas: quantity('gas') ?? quantity('gasLimit'),
    gasPrice: maxFeePerGas === undefined ? gasPrice : undefined,
    maxFeePerGas,
    maxPriorityFeePerGas: quantity('maxPriorityFeePerGas'),
    value: quantity('value'),
    data: data ?? input,
    accessList: listIn(transaction.accessList, named('accessList')),
    authorizationList: listIn(transaction.authorizationList, named('authorizationList')),
  }
  return Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined))
}

/** Whether an object has a field that says what is called. */
export const isCall = (value: Fields): boolean =>
  ['to', 'data', 'input'].some((name) => value[name] !== undefined && value[name] !== null)

/** Its entries are read by the network. */
function listIn(value: unknown, field: string): object[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || !value.every(isFields)) throw new CallTextError(field, 'expected a list of objects')
  return value.length > 0 ? value : undefined
}
