import type { UnderstudyProvider } from './provider.ts'

/** How the wallet appears in lists of wallets. */
export const walletInfo = {
  name: 'Understudy',
  icon: `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" rx="2" fill="#3b5bdb"/><circle cx="4" cy="4" r="2" fill="#fff"/></svg>',
  )}`,
  rdns: 'dev.understudy',
} as const

/** Announces a provider to the page (EIP-6963). Returns a function that stops to answer pages that look for wallets. */
export function announceProvider(provider: UnderstudyProvider): () => void {
  // Pages without TLS at other hosts have no `randomUUID`.
  const uuid = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
  const detail = Object.freeze({ info: Object.freeze({ uuid, ...walletInfo }), provider })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => window.removeEventListener('eip6963:requestProvider', announce)
}
