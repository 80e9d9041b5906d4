import type { CreateConnectorFn } from '@wagmi/core'
import { walletInfo } from './announce.ts'
import { createProvider, type ProviderOptions, type UnderstudyProvider } from './provider.ts'

type Address = `0x${string}`

/**
 * A connector of wagmi for the accounts of running networks, without an extension. `urls` are theirs; default: the first
 * RPC URL of each chain in wagmi's configuration.
 */
export function understudy({ urls }: Partial<ProviderOptions> = {}): CreateConnectorFn<UnderstudyProvider> {
  return ({ chains, emitter }) => {
    let made: UnderstudyProvider | undefined
    const urlsOfChains = () => chains.flatMap(({ rpcUrls }) => rpcUrls.default.http.slice(0, 1))
    const provider = () => {
      if (made) return made
      const [first, ...others] = urls ?? urlsOfChains()
      if (first === undefined) throw new Error('understudy(): pass the URL of a network in urls')
      made = createProvider({ urls: [first, ...others] })
      made.on('accountsChanged', connector.onAccountsChanged).on('chainChanged', connector.onChainChanged)
      return made
    }
    const request = (method: string, ...params: unknown[]) => provider().request({ method, params })
    const chainIdNow = async () => Number(await request('eth_chainId'))
    const requireChain = (chainId: number) => {
      const chain = chains.find(({ id }) => id === chainId)
      if (!chain) throw new Error(`wagmi is not configured for chain ${chainId}`)
      return chain
    }

    const connector = {
      id: 'understudy',
      ...walletInfo,
      // One that `/wallet.js` announces is the same wallet, and is not listed twice.
      type: 'understudy',
      async connect({ chainId, isReconnecting, withCapabilities }: Connect = {}) {
        const method = isReconnecting ? 'eth_accounts' : 'eth_requestAccounts'
        if (chainId !== undefined && chainId !== (await chainIdNow())) await connector.switchChain({ chainId })
        const accounts = (await request(method)) as Address[]
        if (accounts.length === 0) throw new Error('The page is not connected to an account')
        const listed = withCapabilities ? accounts.map((address) => ({ address, capabilities: {} })) : accounts
        return { accounts: listed as never, chainId: await chainIdNow() }
      },
      async disconnect() {
        await request('wallet_revokePermissions', { eth_accounts: {} })
      },
      getAccounts: async () => (await request('eth_accounts')) as Address[],
      getChainId: chainIdNow,
      getProvider: async () => provider(),
      isAuthorized: async () => ((await request('eth_accounts')) as Address[]).length > 0,
      async switchChain({ chainId }: { chainId: number }) {
        const chain = requireChain(chainId)
        await request('wallet_switchEthereumChain', { chainId: `0x${chainId.toString(16)}` })
        return chain
      },
      onAccountsChanged(accounts: string[]) {
        if (accounts.length === 0) emitter.emit('disconnect')
        else emitter.emit('change', { accounts: accounts as Address[] })
      },
      onChainChanged(chainId: string) {
        emitter.emit('change', { chainId: Number(chainId) })
      },
      onDisconnect() {
        emitter.emit('disconnect')
      },
    }
    return connector
  }
}

type Connect = { chainId?: number; isReconnecting?: boolean; withCapabilities?: unknown }
