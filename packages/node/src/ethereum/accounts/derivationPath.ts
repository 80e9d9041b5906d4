import { codec } from '../../shared/codec.ts'

/** The path from a seed phrase to the keys that accounts are derived from (BIP-32), without the account's own index. */
export type DerivationPath = readonly number[]

/** Indexes from here on are derived from the private key instead of the public one. */
export const hardened = 0x80000000
/** BIP-32 counts levels in one byte, of which the account's own takes one. */
const maxLevels = 254

/** Of most wallets, and of anvil and Hardhat. */
export const defaultDerivationPath: DerivationPath = [hardened + 44, hardened + 60, hardened, 0]

/** A path as `m/44'/60'/0'/0`; `m/` and a slash at the end may be there or not, and `h` stands for `'`. */
export const derivationPath = codec<string, DerivationPath>(
  "a path such as m/44'/60'/0'/0, of numbers below 2147483648 that may end in ' or h",
  (input) => {
    const text = Array.isArray(input) ? formatDerivationPath(input) : input
    if (typeof text !== 'string') return undefined
    const levels = text.trim().split('/')
    if (levels[0] === 'm') levels.shift()
    if (levels.at(-1) === '') levels.pop()
    const path = levels.map(indexFrom)
    return path.length > maxLevels || path.includes(undefined) ? undefined : (path as number[])
  },
)

function indexFrom(level: string): number | undefined {
  const digits = level.replace(/['h]$/, '')
  const index = /^\d{1,10}$/.test(digits) ? Number(digits) : hardened
  if (index >= hardened) return undefined
  return digits === level ? index : index + hardened
}

export function formatDerivationPath(path: DerivationPath): string {
  return ['m', ...path.map((index) => (index >= hardened ? `${index - hardened}'` : String(index)))].join('/')
}
