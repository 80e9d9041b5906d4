import { toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { accountsFromMnemonic } from './accountsFromMnemonic.ts'

const mnemonics = [
  'test test test test test test test test test test test junk',
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
]

it.each(mnemonics)('derives the accounts that wallets derive: %s', (mnemonic) => {
  const accounts = accountsFromMnemonic(`  ${mnemonic.replace(' ', '\n')} `, 10)
  const expected = accounts.map((_, addressIndex) => mnemonicToAccount(mnemonic, { addressIndex }))
  expect(accounts.map(({ address }) => address)).toEqual(expected.map(({ address }) => address))
  const keys = expected.map((account) => toHex(account.getHdKey().privateKey as Uint8Array))
  expect(accounts.map(({ privateKey }) => toHex(privateKey))).toEqual(keys)
})
