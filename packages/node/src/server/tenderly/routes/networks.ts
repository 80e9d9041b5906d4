import { NetworkError } from '../../../shared/errors.ts'
import type { RestRoute } from '../route.ts'

/** `GET /v1/network/{chainId}/block-number` */
const blockNumber: RestRoute = {
  method: 'GET',
  paths: ['/v1/network/:chainId/block-number'],
  role: 'read',
  async answer({ params: { chainId }, ofChain }) {
    const network = await ofChain(chainIdFrom(chainId, 'chainId'))
    return { block_number: Number(await network.call<string>('eth_blockNumber')) }
  },
}

/** Routes that name a chain, and no project. */
export const networkRoutes: readonly RestRoute[] = [blockNumber]

/** The id of a chain, which clients send as text or as a number. Throws `INVALID_PARAMS`. */
export function chainIdFrom(value: unknown, field: string): bigint {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text === 'string' && /^[1-9]\d{0,19}$/.test(text)) return BigInt(text)
  throw new NetworkError('INVALID_PARAMS', { field, problem: 'expected the id of a chain in decimal digits' })
}
