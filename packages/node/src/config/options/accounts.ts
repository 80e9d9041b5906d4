import {
  type DerivationPath,
  defaultDerivationPath,
  derivationPath,
  formatDerivationPath,
} from '../../ethereum/accounts/derivationPath.ts'
import { etherAsWei, text, wholeNumber } from '../values.ts'
import { option } from './option.ts'

/** Public test accounts with well-known keys. */
export const testMnemonic = 'test test test test test test test test test test test junk'

export const accountsOptions = {
  accounts: option<number>({
    flag: 'accounts',
    placeholder: 'N',
    schema: wholeNumber(0, 1000, 'a number of accounts'),
    default: 10,
    group: 'Accounts',
    description: 'Number of funded accounts. The network holds their keys and signs for them.',
  }),
  balance: option<bigint>({
    flag: 'balance',
    placeholder: 'ETHER',
    schema: etherAsWei,
    default: 10_000n * 10n ** 18n,
    defaultText: '10000',
    show: (wei) => `${wei} wei`,
    group: 'Accounts',
    description: 'Balance of each funded account, in ether.',
  }),
  mnemonic: option<string>({
    secret: true,
    flag: 'mnemonic',
    placeholder: 'WORDS',
    schema: text('12 to 24 words', /^\s*\S+(\s+\S+){11,23}\s*$/),
    default: testMnemonic,
    show: (words) => (words === testMnemonic ? words : '***'),
    group: 'Accounts',
    description: 'Seed phrase of the funded accounts. Your own phrase is not printed.',
  }),
  derivationPath: option<DerivationPath>({
    secret: false,
    flag: 'derivation-path',
    placeholder: 'PATH',
    schema: derivationPath,
    default: defaultDerivationPath,
    show: formatDerivationPath,
    group: 'Accounts',
    description: 'Derivation path of the funded accounts, to which the number of each account is appended.',
  }),
}
