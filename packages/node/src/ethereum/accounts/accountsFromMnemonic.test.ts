import { toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { accountsFromMnemonic } from './accountsFromMnemonic.ts'
import { derivationPath, formatDerivationPath } from './derivationPath.ts'

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

it.each(["m/44'/60'/0'/1", 'm/44h/60h/0h/1/', "44'/60'/7'/1'", 'm'])('derives at another path: %s', (text) => {
  const path = derivationPath.parse(text)
  const accounts = accountsFromMnemonic(mnemonics[0] as string, 2, { path, first: 1 })
  const expected = [1, 2].map((index) =>
    mnemonicToAccount(mnemonics[0] as string, { path: `${formatDerivationPath(path)}/${index}` as "m/44'/60'/0" }),
  )
  expect(accounts.map(({ address }) => address)).toEqual(expected.map(({ address }) => address))
})

it('names a path in one form', () => {
  const forms = ["m/44'/60'/0'/1", 'm/44h/60h/0h/1/', "44'/60'/0'/1"]
  expect(forms.map((form) => formatDerivationPath(derivationPath.parse(form)))).toEqual(forms.map(() => forms[0]))
  expect(formatDerivationPath(derivationPath.parse('m/'))).toBe('m')
})

it.each(["m/44'/60'/x", 'm//0', "m/2147483648'", 'n/44', "m/44''", 'm/-1', `m${'/0'.repeat(255)}`])(
  'refuses %s',
  (text) => {
    expect(derivationPath.safeParse(text).success).toBe(false)
  },
)
