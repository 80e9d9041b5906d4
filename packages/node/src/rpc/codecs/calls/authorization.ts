import { z } from 'zod'
import { recoverAuthority } from '../../../ethereum/authorization.ts'
import { wordFromBigint } from '../../../shared/hex.ts'
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
  .transform(({ r, s, yParity, ...signed }) =>
    recoverAuthority({ ...signed, r: wordFromBigint(r), s: wordFromBigint(s), yParity: Number(yParity) }),
  )
  .meta({
    title: 'Authorization',
    description: 'a signed EIP-7702 authorization: chainId, address, nonce, yParity, r, s',
  })
