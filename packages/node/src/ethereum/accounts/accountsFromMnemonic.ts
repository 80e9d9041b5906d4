import { createHmac, pbkdf2Sync } from 'node:crypto'
import { type Address, keccak256, publicKeyOf } from '@understudy/evm'
import { LRUCache } from 'lru-cache'
import { getAddress } from 'viem'
import { bigintFromBytes, bytesFromHex, hexFromBytes, wordFromBigint } from '../../shared/hex.ts'
import { type DerivationPath, defaultDerivationPath, formatDerivationPath, hardened } from './derivationPath.ts'

/** An account with its key. The address has a checksum. */
export type KeyedAccount = { address: Address; privateKey: Uint8Array }

/** Each branch that opens has the accounts of its network. */
const derived = new LRUCache<string, readonly KeyedAccount[]>({ max: 16 })

/**
 * Accounts of a seed phrase, at `path` and N, from N = `first` on. Everything is derived with native code: every start
 * derives keys, and JavaScript takes 20 ms for each. The last results are kept.
 */
export function accountsFromMnemonic(
  mnemonic: string,
  count: number,
  { path = defaultDerivationPath, first = 0 }: { path?: DerivationPath; first?: number } = {},
): readonly KeyedAccount[] {
  const words = mnemonic.trim().split(/\s+/).join(' ').normalize('NFKD')
  const key = `${formatDerivationPath(path)} ${count} ${first} ${words}`
  const accounts = derived.get(key) ?? derive(words, path, count, first)
  derived.set(key, accounts)
  return accounts
}

function derive(words: string, path: DerivationPath, count: number, first: number): KeyedAccount[] {
  const seed = pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512')
  let parent = split(createHmac('sha512', 'Bitcoin seed').update(seed))
  for (const index of path) parent = childOf(parent, index)
  return Array.from({ length: count }, (_, index) => {
    const { privateKey } = childOf(parent, first + index)
    const hash = keccak256(publicKeyOf(privateKey, 'whole').subarray(1))
    return { address: getAddress(hexFromBytes(hash.subarray(12))), privateKey }
  })
}

/** A key that others are derived from (BIP-32). */
type ExtendedKey = { privateKey: Uint8Array; chainCode: Uint8Array }

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

function childOf({ privateKey, chainCode }: ExtendedKey, index: number): ExtendedKey {
  const position = Buffer.alloc(4)
  position.writeUInt32BE(index)
  const hash = createHmac('sha512', chainCode)
  if (index >= hardened) hash.update(new Uint8Array(1)).update(privateKey)
  else hash.update(publicKeyOf(privateKey, 'compressed'))
  const { privateKey: tweak, chainCode: next } = split(hash.update(position))
  const sum = (bigintFromBytes(tweak) + bigintFromBytes(privateKey)) % order
  return { privateKey: bytesFromHex(wordFromBigint(sum)), chainCode: next }
}

function split(hash: ReturnType<typeof createHmac>): ExtendedKey {
  const bytes = hash.digest()
  return { privateKey: bytes.subarray(0, 32), chainCode: bytes.subarray(32) }
}
