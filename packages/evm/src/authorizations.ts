import { bytesFromHex } from './bytes.ts'
import type { Prices } from './gas/prices.ts'
import type { Machine } from './machine.ts'
import type { Address, Authorization, Message } from './port.ts'

const maxNonce = (1n << 64n) - 1n
const delegationPrefix = [0xef, 0x01, 0x00]
const zeroAddress: Address = `0x${'00'.repeat(20)}`
/** Gas that is taken while the authorizations are applied. */
type Purse = { regular: bigint; reservoir: bigint; used: bigint }

/** What was paid for already, by authority. */
type Paid = { writes: Set<Address>; hadDelegation: Map<Address, boolean>; delegations: Set<Address> }

/**
 * Applies the authorizations of a message in order and skips invalid ones (EIP-7702). Answers the gas left, which is `gas` before
 * EIP-8037; `undefined` when it is too little.
 */
export function applyAuthorizations(
  machine: Machine,
  message: Message,
  chainId: bigint,
  gas: bigint,
): bigint | undefined {
  if (message.authorizationList === undefined) return gas
  const { exports, rules } = machine
  const purse: Purse = { regular: gas, reservoir: exports.reservoir.value, used: 0n }
  // The sender and a target with value are written anyway.
  const writes = new Set<Address>([message.from])
  if (message.to !== undefined && message.value > 0n) writes.add(message.to)
  const paid: Paid = { writes, hadDelegation: new Map(), delegations: new Set() }
  for (const authorization of message.authorizationList) {
    const valid = check(machine, authorization, chainId)
    if (valid === undefined) continue
    if (rules.stateGas) {
      if (!pay(purse, paid, valid, rules.prices)) return undefined
    } else if (valid.exists) {
      exports.addRefund(BigInt(rules.prices.refundAuthorization))
    }
    write(machine, valid)
  }
  if (rules.stateGas) exports.setStateGas(purse.reservoir, purse.used)
  return purse.regular
}

type Valid = {
  account: number
  authority: Address
  address: Address
  nonce: bigint
  /** What the authority is before it. */
  exists: boolean
  isDelegated: boolean
}

function check(
  machine: Machine,
  { authority, address, nonce, chainId: signedFor }: Authorization,
  chainId: bigint,
): Valid | undefined {
  if ((signedFor !== 0n && signedFor !== chainId) || nonce >= maxNonce || authority === undefined) return undefined
  machine.warmAddress(authority)
  const account = machine.account(authority)
  const codeKind = machine.exports.codeKind(account)
  if (codeKind === 1) return undefined
  const { balance, nonce: current } = machine.readAccount(account) ?? { balance: 0n, nonce: 0n }
  if (current !== nonce) return undefined
  const exists = balance !== 0n || current !== 0n || codeKind !== 0
  return { account, authority, address, nonce, exists, isDelegated: codeKind === 2 }
}

/** False: there is too little gas. Nothing is given back when a later authorization removes a delegation. */
function pay(
  purse: Purse,
  paid: Paid,
  { authority, address, exists, isDelegated }: Valid,
  { accountWrite, accountState, delegationState }: Prices,
): boolean {
  if (!paid.writes.has(authority)) {
    purse.regular -= BigInt(accountWrite)
    if (purse.regular < 0n) return false
    paid.writes.add(authority)
  }
  if (!paid.hadDelegation.has(authority)) paid.hadDelegation.set(authority, isDelegated)
  let state = exists ? 0n : BigInt(accountState)
  const isNew = address !== zeroAddress && !isDelegated && !paid.hadDelegation.get(authority)
  if (isNew && !paid.delegations.has(authority)) {
    state += BigInt(delegationState)
    paid.delegations.add(authority)
  }
  const spilled = state > purse.reservoir ? state - purse.reservoir : 0n
  purse.reservoir -= state - spilled
  purse.regular -= spilled
  purse.used += state
  return purse.regular >= 0n
}

function write({ bytes, exports }: Machine, { account, address, nonce }: Valid): void {
  const code = address === zeroAddress ? [] : [...delegationPrefix, ...bytesFromHex(address)]
  bytes.set(code, exports.RETURN_DATA.value)
  exports.setAccountCode(account, code.length)
  exports.setAccountNonce(account, BigInt.asIntN(64, nonce + 1n))
}
