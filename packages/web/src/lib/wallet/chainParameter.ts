import type { NetworkInfo } from '../chain/networkInfo.ts'

/** What a wallet must know of the network. */
export type Described = Pick<NetworkInfo, 'chainId' | 'chain'>

/** The parameter of `wallet_addEthereumChain` (EIP-3085) for this network. */
export function chainParameter({ chainId, chain }: Described, url: string) {
  return {
    chainId: `0x${chainId.toString(16)}`,
    chainName: `${chain.name} (Understudy)`,
    nativeCurrency: chain.currency,
    rpcUrls: [url],
  }
}
