import type { Hex } from 'viem'
import { isHash, sameAddress } from '../../format/hash.ts'
import { rpc } from '../rpc/rpc.ts'
import { requireThisNetwork } from '../wallet/chain.ts'
import { getConnected } from '../wallet/connected.ts'
import { askWallet } from '../wallet/provider.ts'
import { sendersQuery } from './impersonation.ts'

export type Unsent = { from: Hex; to?: Hex; value: Hex; data: Hex; gas: Hex }

/**
 * Sends a transaction and returns its hash. The connected wallet signs for its account; the network sends for any other address,
 * which it impersonates if it must.
 */
export async function sendTransaction(transaction: Unsent): Promise<Hex> {
  const { from } = transaction
  const connected = getConnected()
  if (connected && sameAddress(connected.account, from)) {
    const { wallet } = connected
    await requireThisNetwork(wallet)
    const hash = await askWallet(wallet, 'eth_sendTransaction', transaction)
    if (typeof hash !== 'string' || !isHash(hash)) throw new Error(`${wallet.name} did not return a transaction hash`)
    return hash
  }
  const { funded, impersonated } = await sendersQuery.queryFn()
  if (![...funded, ...impersonated].some((one) => sameAddress(one, from))) await rpc('dev_impersonateAccount', from)
  return rpc<Hex>('eth_sendTransaction', transaction)
}
