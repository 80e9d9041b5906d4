import { mnemonicToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { accountsFromMnemonic } from './accountsFromMnemonic.ts'

it('derives the accounts that wallets derive', () => {
  const mnemonic = 'test test test test test test test test test test test junk'
  const addresses = accountsFromMnemonic(`  ${mnemonic.replace(' ', '\n')} `, 3).map(({ address }) => address)
  expect(addresses).toEqual([0, 1, 2].map((addressIndex) => mnemonicToAccount(mnemonic, { addressIndex }).address))
})
