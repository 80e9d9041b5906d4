import { type Address as AddressHex, recoverAddress } from '@understudy/evm'
import { hashAuthorization } from 'viem/utils'
import { z } from 'zod'
import { bytesFromHex, wordFromBigint } from '../../../shared/hex.ts'
import { Address } from '../hex.ts'
import { ChainId, Quantity, Quantity64 } from '../numbers.ts'

/** A signed EIP-7702 authorization, with the recovered signer. */
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
  .meta({
    title: 'Authorization',
    description: 'a signed EIP-7702 authorization: chainId, address, nonce, yParity, r, s',
  })

type Signed = { chainId: bigint; address: AddressHex; nonce: bigint }

const secp256k1HalfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** `undefined` if the signature is invalid: the authorization then has no effect (EIP-7702). */
function recoverAuthority(
  { address, chainId, nonce }: Signed,
  r: bigint,
  s: bigint,
  yParity: bigint,
): AddressHex | undefined {
  if (yParity > 1n || s > secp256k1HalfOrder) return undefined
  // viem's types allow only numbers here, but it also hashes a bigint, exactly.
  const hash = hashAuthorization({ address, ...({ chainId, nonce } as unknown as { chainId: number; nonce: number }) })
  return recoverAddress(bytesFromHex(hash), r, s, yParity === 0n ? 0 : 1)
}
