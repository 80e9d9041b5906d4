/** The interface of a wallet (EIP-1193). */
export type Provider = {
  request(request: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): void
}

/** A wallet in this browser. */
export type Wallet = {
  /** Stays the same after a reload: its reverse domain name, as io.metamask. */
  id: string
  name: string
  /** A picture as a data URI. */
  icon: string | undefined
  provider: Provider
}

/** Codes of EIP-1193, EIP-1474 and EIP-3085. */
export const walletCode = {
  rejected: 4001,
  unauthorised: 4100,
  unsupported: 4200,
  disconnected: 4900,
  chainDisconnected: 4901,
  unknownChain: 4902,
  busy: -32002,
  notSupported: -32004,
  noMethod: -32601,
} as const

/** The text of a wallet that is shown, in characters at most. */
const textLimit = 300

/** Asks a wallet. Throws an error that says what happened there, and keeps the wallet's own as its cause. */
export async function askWallet(
  { name, provider }: Pick<Wallet, 'name' | 'provider'>,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> {
  try {
    return await provider.request({ method, params })
  } catch (error) {
    throw new Error(explain(error, name, method), { cause: error })
  }
}

/** The code of an error that `askWallet` threw; some wallets wrap it. */
export function walletCodeOf(error: unknown): number | undefined {
  return codeOf((error as { cause?: unknown } | null)?.cause)
}

function codeOf(error: unknown): number | undefined {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } }
  const inner = data?.originalError?.code
  return typeof inner === 'number' ? inner : typeof code === 'number' ? code : undefined
}

function explain(error: unknown, name: string, method: string): string {
  switch (codeOf(error)) {
    case walletCode.rejected:
      return `The request was rejected in ${name}. Nothing was changed or sent`
    case walletCode.unauthorised:
      return `${name} does not allow this page to use the account. Connect it again in Settings`
    case walletCode.unsupported:
    case walletCode.notSupported:
    case walletCode.noMethod:
      return `${name} does not support ${method}. Add this network in the wallet's own settings, or use another wallet`
    case walletCode.disconnected:
    case walletCode.chainDisconnected:
      return `${name} does not reach this network. Check the RPC URL that the wallet has for it`
    case walletCode.busy:
      return `A request is already open in ${name}. Answer it there first`
    default: {
      const message = (error as { message?: unknown } | null)?.message
      return `${name}: ${typeof message === 'string' && message ? message.slice(0, textLimit) : 'the request failed'}`
    }
  }
}
