import type { Address } from 'viem'
import { isAnyAddress } from '../../format/hash.ts'

/** What this browser is notified of. */
export type Watches = {
  /** Lowercase. */
  accounts: readonly Address[]
  /** Tracked items. */
  items: readonly { id: string; name: string }[]
  /** Whether the network stops responding. */
  outages: boolean
  /** Whether the system shows notifications while the page is not visible. */
  system: boolean
}

/** Accounts and items that can be watched, at most. */
export const watchLimit = 50

export const noWatches: Watches = { accounts: [], items: [], outages: false, system: false }

/** What was stored. Anything that is not a watch is left out. */
export function readWatches(text: string | null): Watches {
  const { accounts, items, outages, system } = fieldsOf(parsed(text))
  return {
    accounts: listOf(accounts).flatMap((one) =>
      typeof one === 'string' && isAnyAddress(one) ? [one.toLowerCase() as Address] : [],
    ),
    items: listOf(items).flatMap((item) => {
      const { id, name } = fieldsOf(item)
      return typeof id === 'string' && typeof name === 'string' ? [{ id, name }] : []
    }),
    outages: outages === true,
    system: system === true,
  }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const fieldsOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, watchLimit) : [])
