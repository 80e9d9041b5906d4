import { type Address, type Hex, keccak256, recoverAddress, type Word } from '@understudy/evm'
import { bytesFromBigint, bytesFromHex, hexFromBytes, quantity, wordFromBigint } from '../shared/hex.ts'
import { encodeTyped } from '../shared/rlp/encodeRlp.ts'

/** The largest `s` of a valid signature (EIP-2). */
export const secp256k1HalfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** A signed EIP-7702 authorization. */
export type SignedAuthorization = {
  chainId: bigint
  address: Address
  nonce: bigint
  r: Word
  s: Word
  yParity: number
  /** The recovered signer; `undefined` if the signature is invalid: the authorization then has no effect. */
  authority: Address | undefined
}

/** The code of an account that delegates to a contract. */
export const delegationTo = (contract: Address): Uint8Array => bytesFromHex(`0xef0100${contract.slice(2)}`)

/** The contract that an account delegates to; `undefined` if this is other code. */
export function delegationTarget(code: Uint8Array): Address | undefined {
  const isDelegation = code.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00
  return isDelegation ? hexFromBytes(code.subarray(3)) : undefined
}

/** Stands for the signature of an impersonated account. It has the account in `r`, so that two never share a hash. */
export function placeholderSignature(account: Address, salt?: Word): { r: Word; s: Word; yParity: 0 } {
  // The salt is cut to a number that is an s of valid signatures.
  const s = salt === undefined ? placeholderS : wordFromBigint(BigInt(salt) >> 8n)
  return { r: wordFromBigint(BigInt(account)), s, yParity: 0 }
}

export function isPlaceholder({ r, yParity }: { r: Word; yParity: number }, account: Address): boolean {
  return yParity === 0 && r === `${zeros}${account.slice(2)}`
}

const placeholderS = wordFromBigint(1n)
/** What precedes an address in a word. */
const zeros = `0x${'0'.repeat(24)}`

export function recoverAuthority(signed: Omit<SignedAuthorization, 'authority'>): SignedAuthorization {
  return { ...signed, authority: authorityOf(signed) }
}

/** What the signer of an authorization signs (EIP-7702). */
export function authorizationHash({
  chainId,
  address,
  nonce,
}: Pick<SignedAuthorization, 'chainId' | 'address' | 'nonce'>): Uint8Array {
  return keccak256(encodeTyped(5, [bytesFromBigint(chainId), bytesFromHex(address), bytesFromBigint(nonce)]))
}

function authorityOf({ r, s, yParity, ...authorization }: Omit<SignedAuthorization, 'authority'>) {
  if ((yParity !== 0 && yParity !== 1) || BigInt(s) > secp256k1HalfOrder) return undefined
  return recoverAddress(authorizationHash(authorization), BigInt(r), BigInt(s), yParity)
}

/**
 * The authorizations in a block where some signatures recover to an address of choice; these are r, s and v as 65 bytes,
 * with a v of 0 and 1, or of 27 and 28.
 */
export function withChosenAuthorities<Signed extends Pick<SignedAuthorization, 'authority' | 'r' | 's' | 'yParity'>>(
  list: readonly Signed[] | undefined,
  signatures: ReadonlyMap<Hex, Address> | undefined,
): readonly Signed[] | undefined {
  if (!list || !signatures) return list
  return list.map((signed) => {
    const { r, s, yParity } = signed
    const parity = yParity < 27 ? yParity : yParity - 27
    const chosen = [parity, parity + 27].map((v) => signatures.get(`${r}${s.slice(2)}${byteOf(v)}`)).find(Boolean)
    return chosen ? { ...signed, authority: chosen } : signed
  })
}

const byteOf = (value: number) => quantity(value).slice(2).padStart(2, '0')
