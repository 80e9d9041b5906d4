import { type Address, type Hex, signHash, type Word } from '@understudy/evm'
import { accountsFromMnemonic, type KeyedAccount } from '../ethereum/accounts/accountsFromMnemonic.ts'
import type { DerivationPath } from '../ethereum/accounts/derivationPath.ts'
import { authorizationHash, placeholderSignature, type SignedAuthorization } from '../ethereum/authorization.ts'
import { signTransaction } from '../ethereum/encodings/encodeTransaction.ts'
import type { TransactionFields } from '../ethereum/transaction.ts'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import type { Database } from '../storage/database.ts'
import {
  addImpersonatedAccount,
  loadImpersonatedAccounts,
  removeImpersonatedAccount,
} from '../storage/records/impersonatedAccounts.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import type { SignatureNotice } from './signatureNotice.ts'

/**
 * Accounts that can send unsigned transactions: the funded accounts, whose keys the network holds, and the impersonated
 * ones.
 */
export type Senders = {
  /** The funded accounts in derivation order. */
  funded(): Address[]
  /** The account that bundles user operations: its key is of the mnemonic, too. */
  readonly bundler: Address
  impersonated(): Address[]
  /** Durable when it resolves. */
  impersonate(address: Address): Promise<void>
  stopImpersonating(address: Address): Promise<void>
  /** Turns impersonation of every address on or off. Durable when it resolves. */
  impersonateAll(enabled: boolean): Promise<void>
  /** Loads what another node stored. */
  refresh(notice: ChangeNotice): Promise<void>
  /**
   * Signs a transaction of a funded account; `undefined` for an impersonated one, which needs no signature. Throws
   * `NOT_IMPERSONATED` for other accounts, like the two methods below for all but funded accounts.
   */
  signTransaction(address: Address, transaction: TransactionFields, salt?: Word): Hex | undefined
  /**
   * Signs an EIP-7702 authorization of an account for its own transaction. That of an impersonated account has a
   * placeholder signature, which only its own unsigned transactions may have.
   */
  signAuthorization(
    account: Address,
    authorization: Pick<SignedAuthorization, 'chainId' | 'address' | 'nonce'>,
  ): SignedAuthorization
  /** Signs like `personal_sign` (EIP-191). */
  signMessage(address: Address, message: Uint8Array): Promise<Hex>
  /** Signs EIP-712 data by its hash; the chain id of its domain is noticed. */
  signTypedData(address: Address, typedData: { domain: Record<string, unknown>; hash: Word }): Promise<Hex>
}

/** The bundler's index among the accounts of the mnemonic: far from those that are funded. */
const bundlerIndex = 4337

export async function createSenders(
  { mnemonic, accounts, derivationPath: path }: { mnemonic: string; accounts: number; derivationPath: DerivationPath },
  { database, noticeSignature }: { database: Database; noticeSignature: SignatureNotice },
): Promise<Senders> {
  const keys = new Map<Address, KeyedAccount>()
  const addKeys = (added: readonly KeyedAccount[]) =>
    added.map((account) => {
      const address = account.address.toLowerCase() as Address
      keys.set(address, account)
      return address
    })
  const funded = addKeys(accountsFromMnemonic(mnemonic, accounts, { path }))
  const [bundler] = addKeys(accountsFromMnemonic(mnemonic, 1, { path, first: bundlerIndex })) as [Address]
  let allAllowed = (await loadSetting<boolean>(database.queries, 'impersonateAll')) ?? false
  const allowed = new Set(await loadImpersonatedAccounts(database.queries))

  function requireKey(address: Address): KeyedAccount {
    const account = keys.get(address)
    if (!account) throw new NetworkError('NOT_IMPERSONATED', { address })
    return account
  }

  return {
    funded: () => [...funded],
    bundler,
    impersonated: () => [...allowed],
    async impersonate(address) {
      await database.transaction((transaction) => addImpersonatedAccount(transaction, address))
      allowed.add(address)
    },
    async stopImpersonating(address) {
      await database.transaction((transaction) => removeImpersonatedAccount(transaction, address))
      allowed.delete(address)
    },
    async impersonateAll(enabled) {
      await database.transaction((transaction) => saveSetting(transaction, 'impersonateAll', enabled))
      allAllowed = enabled
    },
    async refresh({ queries, isChanged }) {
      allAllowed = (await loadSetting<boolean>(queries, 'impersonateAll')) ?? false
      if (!isChanged('impersonated_accounts')) return
      const stored = await loadImpersonatedAccounts(queries)
      allowed.clear()
      for (const address of stored) allowed.add(address)
    },
    signTransaction(address, transaction, salt) {
      const account = keys.get(address)
      if (account) {
        noticeSignature(address, transaction.chainId)
        return signTransaction(transaction, account.privateKey, salt)
      }
      if (!allAllowed && !allowed.has(address)) throw new NetworkError('NOT_IMPERSONATED', { address })
      return undefined
    },
    signAuthorization(account, { chainId, address, nonce }) {
      const key = keys.get(account)
      if (key) noticeSignature(account, chainId)
      const hash = authorizationHash({ address, chainId, nonce })
      const signature = key ? signHash(hash, key.privateKey) : placeholderSignature(account)
      return { chainId, address, nonce, ...signature, authority: account }
    },
    async signMessage(address, message) {
      const account = requireKey(address)
      noticeSignature(address, undefined)
      return sign(hashMessage(message), account)
    },
    async signTypedData(address, typedData) {
      const account = requireKey(address)
      const signature = sign(typedData.hash, account)
      noticeSignature(address, chainIdOf(typedData.domain))
      return signature
    },
  }
}

/** The hash of a message (EIP-191). */
function hashMessage(message: Uint8Array): Word {
  return keccak(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message]))
}

/** A signature as 65 bytes. */
function sign(hash: Hex, { privateKey }: KeyedAccount): Hex {
  const { r, s, yParity } = signHash(bytesFromHex(hash), privateKey)
  return `${r}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}`
}

/** The chain id in EIP-712 data; `undefined` if there is none. */
function chainIdOf({ chainId }: Record<string, unknown>): bigint | undefined {
  try {
    return chainId === undefined || chainId === null ? undefined : BigInt(chainId as string)
  } catch {
    return undefined
  }
}
