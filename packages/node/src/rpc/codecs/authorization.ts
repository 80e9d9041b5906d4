import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Address as AddressHex, Word } from '@understudy/evm'
import { publicKeyToAddress } from 'viem/accounts'
import { hashAuthorization } from 'viem/utils'
import { z } from 'zod'
import { bytesFromHex, hexFromBytes, wordFromBigint } from '../../shared/hex.ts'
import { Address } from './hex.ts'
import { ChainId, Quantity, Quantity64 } from './numbers.ts'

/** A signed EIP-7702 authorization, with the signer that its signature recovers. */
export const Authorization = z
  .object({
    chainId: ChainId,
    address: Address,
    nonce: Quantity64,
    yParity: Quantity64,
    r: Quantity,
    s: Quantity,
  })
  .transform(({ r, s, yParity, ...signed }) => ({
    ...signed,
    r: wordFromBigint(r),
    s: wordFromBigint(s),
    yParity: Number(yParity),
    authority: recoverAuthority(signed, r, s, yParity),
  }))
  .meta({ title: 'Authorization' })

type Signed = { chainId: bigint; address: AddressHex; nonce: bigint }

/** `undefined` when the signature is not valid: then the authorization has no effect (EIP-7702). */
function recoverAuthority(signed: Signed, r: bigint, s: bigint, yParity: bigint): AddressHex | undefined {
  if (yParity > 1n) return undefined
  try {
    const signature = new secp256k1.Signature(r, s, Number(yParity))
    if (signature.hasHighS()) return undefined
    const { address, chainId, nonce } = signed
    // Numbers beyond what is exact belong to no chain and no account that exist.
    const hash: Word = hashAuthorization({ address, chainId: Number(chainId), nonce: Number(nonce) })
    const publicKey = signature.recoverPublicKey(bytesFromHex(hash))
    return publicKeyToAddress(hexFromBytes(publicKey.toBytes(false))).toLowerCase() as AddressHex
  } catch {
    return undefined
  }
}
