import { bytesFromHex } from './bytes.ts'
import type { Machine } from './machine.ts'
import type { Address, Authorization } from './port.ts'

const maxNonce = (1n << 64n) - 1n
const delegationPrefix = [0xef, 0x01, 0x00]
const zeroAddress: Address = `0x${'00'.repeat(20)}`
/** Refunded if the authority already existed. */
const existingAuthorityRefund = 12500n

/** Applies the authorizations of a transaction in order and skips invalid ones (EIP-7702). */
export function applyAuthorizations(machine: Machine, list: readonly Authorization[], chainId: bigint): void {
  for (const authorization of list) apply(machine, authorization, chainId)
}

function apply(
  machine: Machine,
  { authority, address, nonce, chainId: signedFor }: Authorization,
  chainId: bigint,
): void {
  if ((signedFor !== 0n && signedFor !== chainId) || nonce >= maxNonce || authority === undefined) return
  const { exports } = machine
  machine.warmAddress(authority)
  const account = machine.account(authority)
  const codeKind = exports.codeKind(account)
  if (codeKind === 1) return
  const { balance, nonce: current } = machine.readAccount(account) ?? { balance: 0n, nonce: 0n }
  if (current !== nonce) return
  if (balance !== 0n || current !== 0n || codeKind !== 0) exports.addRefund(existingAuthorityRefund)
  const code = address === zeroAddress ? [] : [...delegationPrefix, ...bytesFromHex(address)]
  machine.bytes.set(code, exports.RETURN_DATA.value)
  exports.setAccountCode(account, code.length)
  exports.setAccountNonce(account, BigInt.asIntN(64, nonce + 1n))
}
