import { mnemonicToAccount } from 'viem/accounts'

/** The mnemonic of the accounts that anvil, Hardhat and Understudy fund. */
export const testMnemonic = 'test test test test test test test test test test test junk'

const account = (addressIndex: number) => mnemonicToAccount(testMnemonic, { addressIndex })

/** The first five funded accounts, with their keys. The first is the default deployer and payer. */
export const testAccounts = [account(0), account(1), account(2), account(3), account(4)] as const
