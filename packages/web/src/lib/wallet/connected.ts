import { useSyncExternalStore } from 'react'
import type { Address } from 'viem'
import { isAnyAddress } from '../../format/hash.ts'
import { walletStore } from './discovery.ts'
import { askWallet, type Wallet } from './provider.ts'

/** The account of a wallet that this page uses as sender. */
export type Connected = { wallet: Wallet; account: Address }

/** The id of the wallet that was connected last, kept in this browser. */
const storedName = 'understudy.wallet'

let connected: Connected | undefined
const listeners = new Set<() => void>()
const observed = new WeakSet<object>()
const resumed = new WeakSet<object>()

const store = {
  get: () => connected,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    const leave = walletStore.subscribe(resume)
    resume()
    return () => {
      listeners.delete(listener)
      leave()
    }
  },
}

/** The wallets of this browser. */
export const useWallets = (): readonly Wallet[] => useSyncExternalStore(walletStore.subscribe, walletStore.get)

/** The account that signs in a wallet; `undefined` when none is connected. */
export const useConnected = (): Connected | undefined => useSyncExternalStore(store.subscribe, store.get)

export const getConnected = store.get

/** Asks a wallet for an account. Throws an error that says why there is none. */
export async function connectWallet(wallet: Wallet): Promise<void> {
  const account = firstOf(await askWallet(wallet, 'eth_requestAccounts'))
  if (!account) throw new Error(`${wallet.name} did not share an account. Unlock it, or create an account there`)
  enter({ wallet, account })
}

export function disconnectWallet(): void {
  enter(undefined)
}

/** Connects the wallet of an earlier visit again, if it still allows that. It asks the user nothing. */
function resume(): void {
  const wallet = connected ? undefined : walletStore.get().find(({ id }) => id === localStorage.getItem(storedName))
  if (!wallet || resumed.has(wallet.provider)) return
  resumed.add(wallet.provider)
  askWallet(wallet, 'eth_accounts').then(
    (accounts) => {
      const account = firstOf(accounts)
      if (account && !connected) enter({ wallet, account })
    },
    () => {},
  )
}

function enter(next: Connected | undefined): void {
  connected = next
  if (next) {
    localStorage.setItem(storedName, next.wallet.id)
    observe(next.wallet)
  } else localStorage.removeItem(storedName)
  for (const listener of listeners) listener()
}

function observe(wallet: Wallet): void {
  if (observed.has(wallet.provider)) return
  observed.add(wallet.provider)
  wallet.provider.on?.('accountsChanged', (accounts) => {
    if (connected?.wallet.provider !== wallet.provider) return
    const account = firstOf(accounts)
    enter(account && { wallet, account })
  })
}

function firstOf(accounts: unknown): Address | undefined {
  const first = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' && isAnyAddress(first) ? first : undefined
}
