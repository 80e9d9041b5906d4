import type { Hex, Word } from '@understudy/evm'
import { serializeTransaction, type TransactionSerializable } from 'viem'
import { encodeTyped, type RlpItem } from '../../shared/encodeRlp.ts'
import { bytesFromBigint, bytesFromHex, hexFromBytes } from '../../shared/hex.ts'

export type Signature = { r: Word; s: Word; yParity: 0 | 1 /** Of legacy transactions. */; v: bigint }

/**
 * The EIP-2718 encoding of a transaction, with its signature or without one, to be signed. Throws viem's `BaseError` for
 * invalid fields.
 */
export function encodeTransaction(transaction: TransactionSerializable, signature?: Signature): Hex {
  const usual = usualFields(transaction)
  if (!usual) return serializeTransaction(transaction, signature)
  return hexFromBytes(encodeTyped(2, signature ? [...usual, ...signatureFields(signature)] : usual))
}

/** The fields of the transactions that are sent most: EIP-1559, without an access list. `undefined` for others, and for what may be invalid. */
function usualFields({ type, accessList, ...fields }: TransactionSerializable): RlpItem[] | undefined {
  if (type !== 'eip1559' || (accessList && accessList.length > 0)) return undefined
  const { chainId = 0, nonce = 0, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, gas = 0n, value = 0n } = fields
  if (chainId <= 0 || maxPriorityFeePerGas > maxFeePerGas || maxFeePerGas >> 256n !== 0n) return undefined
  if (fields.to && !isLowerCaseAddress(fields.to)) return undefined
  const numbers = [BigInt(chainId), BigInt(nonce), maxPriorityFeePerGas, maxFeePerGas, gas]
  if (numbers.some((number) => number < 0n) || value < 0n) return undefined
  const [to, data] = [fields.to ?? '0x', fields.data ?? '0x']
  return [...numbers.map(bytesFromBigint), bytesFromHex(to), bytesFromBigint(value), bytesFromHex(data), []]
}

/** Others have a checksum, or are wrong. */
const isLowerCaseAddress = (text: string) => /^0x[0-9a-f]{40}$/.test(text)

const signatureFields = ({ r, s, yParity }: Signature) => [BigInt(yParity), BigInt(r), BigInt(s)].map(bytesFromBigint)
