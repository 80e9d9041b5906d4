import type { NetworkInfo } from '../../../lib/chain/networkInfo.ts'

type Wallet = { request(request: { method: string; params: unknown[] }): Promise<unknown> }

/** The wallet of this browser (EIP-1193); `undefined` without one. */
export const browserWallet = (): Wallet | undefined => (window as { ethereum?: Wallet }).ethereum

/** The parameter of `wallet_addEthereumChain` (EIP-3085) for this network. */
export function chainParameter({ chainId, chain }: Pick<NetworkInfo, 'chainId' | 'chain'>, url: string) {
  return {
    chainId: `0x${chainId.toString(16)}`,
    chainName: `${chain.name} (Understudy)`,
    nativeCurrency: chain.currency,
    rpcUrls: [url],
  }
}
