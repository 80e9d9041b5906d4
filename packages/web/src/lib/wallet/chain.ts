import { type Hex, hexToNumber } from 'viem'
import { networkUrl } from '../../location/networkUrl.ts'
import { apiKey } from '../rpc/apiKey.ts'
import { networkInfoKey, queryClient } from '../rpc/queryClient.ts'
import { rpc } from '../rpc/rpc.ts'
import { chainParameter, type Described } from './chainParameter.ts'
import { askWallet, type Wallet, walletCode, walletCodeOf } from './provider.ts'

/** Where a wallet reaches this network: with the API key of this page, if it has one. */
export function walletUrl(): string {
  const key = apiKey.get()
  return networkUrl + (key ? `/rpc/${encodeURIComponent(key)}` : '')
}

/** Adds this network to a wallet, which asks its user. */
export async function addToWallet(wallet: Wallet, info?: Described): Promise<void> {
  await askWallet(wallet, 'wallet_addEthereumChain', chainParameter(info ?? (await loadInfo()), walletUrl()))
}

const loadInfo = () => queryClient.fetchQuery({ queryKey: networkInfoKey, queryFn: () => rpc('dev_getNetworkInfo') })

/**
 * Makes a wallet use this network, which it may have to add. Throws if the wallet stays on another chain, or uses another network
 * with the same chain id: what it sends would be valid there.
 */
export async function requireThisNetwork(wallet: Wallet): Promise<void> {
  const info = await loadInfo()
  if ((await chainIdOf(wallet)) !== info.chainId) {
    await switchChain(wallet, info)
    if ((await chainIdOf(wallet)) !== info.chainId)
      throw new Error(`${wallet.name} is still on another chain. Choose chain ${info.chainId} there, and send again`)
  }
  const { number, hash } = await rpc<{ number: Hex; hash: Hex }>('eth_getBlockByNumber', 'latest', false)
  if (info.upstream?.chainId === info.chainId && hexToNumber(number) <= info.origin.number)
    throw new Error(
      'This network has no local block yet, so it cannot be told apart from the live chain. Mine a block first',
    )
  const known = await askWallet(wallet, 'eth_getBlockByHash', hash, false)
  if ((known as { hash?: unknown } | null)?.hash !== hash)
    throw new Error(
      `${wallet.name} uses another network with the chain ID ${info.chainId}. Change its RPC URL to ${networkUrl}, or give this network a chain ID of its own with --chain-id`,
    )
}

async function switchChain(wallet: Wallet, info: Described): Promise<void> {
  try {
    await askWallet(wallet, 'wallet_switchEthereumChain', { chainId: chainParameter(info, '').chainId })
  } catch (error) {
    if (walletCodeOf(error) !== walletCode.unknownChain) throw error
    await addToWallet(wallet, info)
  }
}

/** Decimal texts and numbers are not in the standard, but in use. */
async function chainIdOf(wallet: Wallet): Promise<number> {
  return Number(await askWallet(wallet, 'eth_chainId'))
}
