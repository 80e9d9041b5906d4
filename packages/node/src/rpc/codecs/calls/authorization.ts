import { z } from 'zod'
import { recoverAuthority, type SignedAuthorization } from '../../../ethereum/authorization.ts'
import { wordFromBigint } from '../../../shared/hex.ts'
import { Address } from '../hex.ts'
import { ChainId, Quantity, Quantity64 } from '../numbers.ts'

const Fields = z.strictObject({
  chainId: ChainId,
  address: Address,
  nonce: Quantity64,
  yParity: Quantity64,
  r: Quantity,
  s: Quantity,
})

const described = {
  title: 'Authorization',
  description: 'a signed EIP-7702 authorization: chainId, address, nonce, yParity, r, s',
}

const recovered = ({ r, s, yParity, ...signed }: z.output<typeof Fields>): SignedAuthorization =>
  recoverAuthority({ ...signed, r: wordFromBigint(r), s: wordFromBigint(s), yParity: Number(yParity) })

/** A signed EIP-7702 authorization, with the recovered signer. */
export const Authorization = Fields.transform(recovered).meta(described)

/** To recover a signer takes 0.1 ms. */
const listLimit = 1000

/** The authorizations of a transaction. Signers are recovered when there are not too many. */
export const Authorizations = z
  .array(Fields.meta(described))
  .max(listLimit, { error: `has more than ${listLimit} authorizations` })
  .transform((list) => list.map(recovered))
