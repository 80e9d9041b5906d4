import { bytesToHex, eoaCode7702SignAuthorization, hexToBytes, privateToAddress } from '@ethereumjs/util'
import type { Address, Authorization, Hex } from '../../src/port.ts'

const keys = [1, 2, 3].map((index) => hexToBytes(`0x${index.toString(16).padStart(64, '0')}`))

/** The accounts that sign authorizations in cases. */
export const signers: readonly Address[] = keys.map((key) => bytesToHex(privateToAddress(key)))

type Signed = ReturnType<typeof eoaCode7702SignAuthorization>
const signed = new Map<string, Signed>()

/** An authorization as it is in a transaction. */
export function signatureOf({ authority, chainId, address, nonce }: Authorization): Signed {
  const key = keys[signers.indexOf(authority as Address)] as Uint8Array
  const fields: [Hex, Hex, Hex] = [hexOf(chainId), address, hexOf(nonce)]
  const name = [authority, ...fields].join()
  const signature = signed.get(name) ?? eoaCode7702SignAuthorization(fields.map(bytesOf) as never, key)
  signed.set(name, signature)
  return signature
}

const hexOf = (value: bigint): Hex => `0x${value.toString(16)}`

/** Numbers have no zeros in front. */
function bytesOf(value: Hex): Uint8Array {
  if (value === '0x0') return new Uint8Array()
  return hexToBytes(value.length % 2 === 0 ? value : `0x0${value.slice(2)}`)
}
