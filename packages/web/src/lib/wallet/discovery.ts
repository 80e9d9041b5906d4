import type { Provider, Wallet } from './provider.ts'

/** Wallets that are listed, at most; any script of the page can announce some. */
const walletLimit = 20
const nameLimit = 60
/** Of a picture, in characters. */
const iconLimit = 200_000

let wallets: readonly Wallet[] = []
const listeners = new Set<() => void>()

/** The wallets that announced themselves (EIP-6963); without one, the wallet that the page was given, if any. */
export const walletStore = {
  get: () => wallets,
  subscribe(listener: () => void): () => void {
    if (listeners.size === 0) start()
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) window.removeEventListener('eip6963:announceProvider', onAnnounced)
    }
  },
}

function start(): void {
  window.addEventListener('eip6963:announceProvider', onAnnounced)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  const { ethereum } = window as { ethereum?: unknown }
  if (wallets.length === 0 && isProvider(ethereum)) add({ ...injected, provider: ethereum })
}

const injected = { id: 'injected', name: 'Browser wallet', icon: undefined }

function onAnnounced(event: Event): void {
  const wallet = walletFrom((event as CustomEvent).detail)
  if (wallet) add(wallet)
}

function add(wallet: Wallet): void {
  const others = wallets.filter(({ id }) => id !== wallet.id && id !== injected.id)
  if (
    others.length >= walletLimit ||
    wallets.some(({ provider, id }) => provider === wallet.provider && id === wallet.id)
  )
    return
  wallets = [...others, wallet]
  for (const listener of listeners) listener()
}

/** Checks an announcement; `undefined` if it is not one of a wallet. */
export function walletFrom(detail: unknown): Wallet | undefined {
  const { info, provider } = fieldsOf(detail)
  const { rdns, name, icon } = fieldsOf(info)
  if (typeof rdns !== 'string' || !/^[\w.-]{1,100}$/.test(rdns) || typeof name !== 'string' || !isProvider(provider))
    return undefined
  const picture = typeof icon === 'string' && icon.startsWith('data:image/') && icon.length <= iconLimit
  return { id: rdns, name: name.trim().slice(0, nameLimit) || rdns, icon: picture ? icon : undefined, provider }
}

const fieldsOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>

function isProvider(value: unknown): value is Provider {
  return typeof (value as Provider | undefined)?.request === 'function'
}
