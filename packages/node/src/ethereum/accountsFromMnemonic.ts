import { pbkdf2Sync } from 'node:crypto'
import { type HDAccount, HDKey, hdKeyToAccount } from 'viem/accounts'

/**
 * The first accounts of a seed phrase, at m/44'/60'/0'/0/N. The seed (BIP-39) is derived with Node's crypto library,
 * because it takes 2048 rounds of hashing.
 */
export function accountsFromMnemonic(mnemonic: string, count: number): HDAccount[] {
  const words = mnemonic.trim().split(/\s+/).join(' ').normalize('NFKD')
  const root = HDKey.fromMasterSeed(pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512'))
  return Array.from({ length: count }, (_, addressIndex) => hdKeyToAccount(root, { addressIndex }))
}
