import { type Address, getAddress, type Hex, isAddress } from 'viem'

/** The start and the end of an address or hash. */
export function shorten(hex: string, { head = 6, tail = 4 }: { head?: number; tail?: number } = {}): string {
  return hex.length <= head + tail + 1 ? hex : `${hex.slice(0, head)}…${hex.slice(-tail)}`
}

/** An address with its checksum. Any other text is returned unchanged. */
export function checksummed(address: string): string {
  return isAddress(address, { strict: false }) ? getAddress(address) : address
}

export const isHash = (text: string): text is Hex => /^0x[0-9a-f]{64}$/i.test(text)
export const isAnyAddress = (text: string): text is Address => /^0x[0-9a-f]{40}$/i.test(text)
export const sameAddress = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a?.toLowerCase() === b?.toLowerCase()
