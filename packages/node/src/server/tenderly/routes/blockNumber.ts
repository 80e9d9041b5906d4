import { NetworkError } from '../../../shared/errors.ts'
import type { RestRoute } from '../route.ts'

/** `GET /v1/network/{chainId}/block-number` */
export const blockNumber: RestRoute = {
  method: 'GET',
  paths: ['/v1/network/:chainId/block-number'],
  role: 'read',
  async answer({ params: { chainId = '' }, ofChain }) {
    const network = await ofChain(chainIdFrom(chainId))
    return { block_number: Number(await network.call<string>('eth_blockNumber')) }
  },
}

function chainIdFrom(text: string): bigint {
  if (!/^[1-9]\d{0,19}$/.test(text))
    throw new NetworkError('INVALID_PARAMS', { field: 'chainId', problem: 'expected the id of a chain in digits' })
  return BigInt(text)
}
