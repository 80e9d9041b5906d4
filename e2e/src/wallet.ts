import type { Page } from 'playwright-core'
import { createWalletClient, defineChain, type Hex, http, type SendTransactionParameters } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

type Request = { method: string; params?: readonly never[] }
type Chain = { chainId: Hex; rpcUrls: string[] }
type Answer = { result: unknown } | { error: { code: number; message: string } }

/** A wallet of a browser, with one account whose key no network has. */
export type BrowserWallet = {
  account: Hex
  /** Of the chain that it uses. */
  chainId: Hex
  /** The RPC URL of each chain that it knows, by chain id. */
  urls: Map<Hex, string>
  /** Whether its user rejects what it asks. */
  rejects: boolean
}

const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#e67700"/></svg>')}`

/** Installs a wallet in a page, which announces itself as EIP-6963 says, or is `window.ethereum` as before that. */
export async function installWallet(page: Page, how: 'announced' | 'injected' = 'announced'): Promise<BrowserWallet> {
  const account = privateKeyToAccount(generatePrivateKey())
  const wallet: BrowserWallet = { account: account.address, chainId: '0x1', urls: new Map(), rejects: false }
  let isConnected = false

  async function answer({ method, params = [] }: Request): Promise<unknown> {
    const needsConsent = /^(eth_requestAccounts|eth_sendTransaction|wallet_)/.test(method)
    if (needsConsent && wallet.rejects) throw { code: 4001, message: 'User rejected' }
    if (method === 'eth_requestAccounts') isConnected = true
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return isConnected ? [account.address] : []
    if (method === 'eth_chainId') return wallet.chainId
    if (method === 'wallet_addEthereumChain') {
      const { chainId, rpcUrls } = params[0] as unknown as Chain
      wallet.urls.set(chainId, rpcUrls[0] ?? '')
      wallet.chainId = chainId
      return null
    }
    if (method === 'wallet_switchEthereumChain') {
      const { chainId } = params[0] as unknown as Chain
      if (!wallet.urls.has(chainId)) throw { code: 4902, message: 'Unrecognized chain' }
      wallet.chainId = chainId
      return null
    }
    const url = wallet.urls.get(wallet.chainId)
    if (url === undefined) throw { code: 4900, message: 'No RPC URL' }
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    const chain = defineChain({
      id: Number(wallet.chainId),
      name: 'x',
      nativeCurrency,
      rpcUrls: { default: { http: [url] } },
    })
    const client = createWalletClient({ account, chain, transport: http(url) })
    if (method !== 'eth_sendTransaction') return client.request({ method, params } as never)
    const { to, data, value, gas } = params[0] as unknown as { to: Hex; data: Hex; value: Hex; gas: Hex }
    return client.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gas) } as SendTransactionParameters)
  }

  await page.exposeFunction('askTheWallet', async (request: Request): Promise<Answer> => {
    try {
      return { result: await answer(request) }
    } catch (error) {
      const { code, message } = error as { code?: number; message?: string }
      return { error: { code: code ?? -32603, message: message ?? String(error) } }
    }
  })
  await page.addInitScript(
    ({ kind, icon }) => {
      const ask = (window as never as { askTheWallet(request: unknown): Promise<Answer> }).askTheWallet
      const provider = {
        async request(request: unknown) {
          const answered = await ask(request)
          if ('error' in answered) throw Object.assign(new Error(answered.error.message), answered.error)
          return answered.result
        },
      }
      if (kind === 'injected') return Object.assign(window, { ethereum: provider })
      const info = { uuid: crypto.randomUUID(), name: 'Fox', rdns: 'io.example.fox', icon }
      const announce = () =>
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
      window.addEventListener('eip6963:requestProvider', announce)
      announce()
    },
    { kind: how, icon },
  )
  await page.reload()
  return wallet
}
