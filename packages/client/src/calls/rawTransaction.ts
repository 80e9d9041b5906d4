import { type Hex, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem'
import { CallTextError } from './fields.ts'
import type { CallFields } from './walletCall.ts'

/** Whether bytes are just one list in RLP, after the type of a transaction if it has one: call data hardly ever is. */
function isEncodedList(bytes: Hex): boolean {
  const list = /^0x0[1-4]/.test(bytes) ? bytes.slice(4) : bytes.slice(2)
  const first = Number.parseInt(list.slice(0, 2), 16)
  if (!(first >= 0xc0)) return false
  const size = list.length / 2
  if (first <= 0xf7) return size === first - 0xc0 + 1
  const digits = 2 * (first - 0xf7)
  return size === digits / 2 + 1 + Number.parseInt(list.slice(2, 2 + digits), 16)
}

/**
 * The call of an encoded transaction, signed or not; `undefined` if the bytes are not one. The sender of a transaction that
 * is not signed is missing.
 */
export async function callOfRawTransaction(bytes: Hex): Promise<CallFields | undefined> {
  if (!isEncodedList(bytes)) return undefined
  const transaction = parsed(bytes)
  if (!transaction) return undefined
  const { to, value, data, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList, authorizationList } =
    transaction
  const isSigned = transaction.r !== undefined && transaction.s !== undefined
  const from = isSigned ? await senderOf(bytes) : undefined
  return {
    ...(from && { from }),
    ...(to && { to }),
    ...(value !== undefined && { value: hexOf(value) }),
    ...(data && { data }),
    ...(gas !== undefined && { gas: hexOf(gas) }),
    ...(gasPrice !== undefined && { gasPrice: hexOf(gasPrice) }),
    ...(maxFeePerGas !== undefined && { maxFeePerGas: hexOf(maxFeePerGas) }),
    ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas: hexOf(maxPriorityFeePerGas) }),
    ...(accessList && accessList.length > 0 && { accessList }),
    ...(authorizationList && authorizationList.length > 0 && { authorizationList: authorizationList.map(asRequest) }),
  }
}

const hexOf = (value: bigint): Hex => `0x${value.toString(16)}`

type Parsed = Omit<ReturnType<typeof parseTransaction>, 'type'> & {
  gasPrice?: bigint
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
  accessList?: readonly object[]
  authorizationList?: readonly Authorization[]
}
type Authorization = { chainId: number; address: Hex; nonce: number; r: Hex; s: Hex; yParity?: number }

function parsed(bytes: Hex): Parsed | undefined {
  try {
    return parseTransaction(bytes as TransactionSerialized) as Parsed
  } catch {
    return undefined
  }
}

async function senderOf(bytes: Hex): Promise<Hex> {
  try {
    return await recoverTransactionAddress({ serializedTransaction: bytes as TransactionSerialized })
  } catch {
    throw new CallTextError('transaction', 'its signature is not valid')
  }
}

const asRequest = ({ chainId, address, nonce, r, s, yParity = 0 }: Authorization) => ({
  chainId: hexOf(BigInt(chainId)),
  address,
  nonce: hexOf(BigInt(nonce)),
  r,
  s,
  yParity: hexOf(BigInt(yParity)),
})
