/** What the provider remembers when the page is loaded again. */
export type Memory = {
  /** The URL of the network in use. */
  current: string
  /** URLs of networks that the page added. */
  added: string[]
  /** The accounts that the page is connected to, by the URL of the network. */
  accounts: Record<string, string[]>
}

/** Most networks that a page may add. */
export const addedLimit = 20

export function loadMemory(key: string): Partial<Memory> {
  try {
    const { current, added, accounts } = JSON.parse(localStorage.getItem(key) ?? '{}')
    return {
      ...(isUrl(current) && { current }),
      ...(Array.isArray(added) && { added: added.filter(isUrl).slice(0, addedLimit) }),
      ...(typeof accounts === 'object' && accounts !== null && { accounts: onlyAccounts(accounts) }),
    }
  } catch {
    return {}
  }
}

export function saveMemory(key: string, memory: Memory): void {
  try {
    localStorage.setItem(key, JSON.stringify(memory))
  } catch {
    // A page without storage asks again when it is loaded again.
  }
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value)

function onlyAccounts(stored: Record<string, unknown>): Record<string, string[]> {
  const isAccount = (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value)
  return Object.fromEntries(
    Object.entries(stored).map(([url, accounts]) => [url, Array.isArray(accounts) ? accounts.filter(isAccount) : []]),
  )
}
