import { createRandom } from '@understudy/testkit'
import type { AccessListItem, Address, Authorization, Fork, Hex, Word } from '../../src/port.ts'
import type { StateAccount } from '../conformance/trie.ts'
import { delegationTo, ProgramWriter } from './program.ts'
import { signers } from './signers.ts'

export type FuzzCase = {
  fork: Fork
  state: Map<string, StateAccount>
  sender: Address
  to: Address | undefined
  value: bigint
  data: Uint8Array
  gasLimit: bigint
  gasPrice: bigint
  accessList: AccessListItem[]
  /** Of transactions that have a target. */
  authorizationList: Authorization[] | undefined
}

export const coinbase: Address = `0x${'c0'.repeat(20)}`
const sender: Address = `0x${'5e'.repeat(20)}`
/** Forks with EIP-7702. */
const delegates: readonly Fork[] = ['prague', 'osaka', 'amsterdam']
const nobody: Address = `0x${'99'.repeat(20)}`

function word(value: number): Word {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** Makes a case from its seed: some contracts that know of each other, and a transaction. The seed picks the fork if none is given. */
export function makeCase(seed: number, only?: Fork): FuzzCase {
  const random = createRandom(seed)
  const picked = random.pick<Fork>([
    'london',
    'paris',
    'shanghai',
    'cancun',
    'prague',
    'prague',
    'osaka',
    'osaka',
    'amsterdam',
    'amsterdam',
    'amsterdam',
  ])
  const fork = only ?? picked
  const contracts = Array.from(
    { length: random.integer(1, 4) },
    (_, i): Hex => `0x${(0xc1 + i).toString(16).repeat(20)}`,
  )
  const delegator: Address = `0x${'de'.repeat(20)}`
  const addresses = [...contracts, ...contracts, sender, nobody, coinbase, delegator]
  const state = new Map<string, StateAccount>()
  const empty = () => ({ nonce: 0n, code: new Uint8Array(0), storage: new Map<string, bigint>() })
  state.set(sender, { ...empty(), balance: 10n ** 20n, nonce: BigInt(random.integer(0, 300)) })
  for (const address of contracts) {
    const storage = new Map<string, bigint>()
    for (let key = 0; key < 4; key++) if (random.chance(0.4)) storage.set(word(key), BigInt(random.integer(1, 3)))
    const code = new ProgramWriter(random, addresses).write(random.integer(10, 250))
    state.set(address, { balance: random.chance(0.7) ? BigInt(random.integer(0, 3000)) : 0n, nonce: 1n, code, storage })
  }
  if (delegates.includes(fork) && random.chance(0.5)) {
    state.set(delegator, { ...empty(), balance: 5n, nonce: 1n, code: delegationTo(random.pick(addresses)) })
  }
  const creates = random.chance(0.1)
  const authorizes = !creates && delegates.includes(fork) && random.chance(0.12)
  const authorizationList = authorizes ? makeAuthorizations(random, state, addresses) : undefined
  const data = creates
    ? new ProgramWriter(random, addresses).write(random.integer(5, 100))
    : random.bytes(random.integer(0, 100))
  const gasLimit = random.chance(0.5) ? random.integer(60_000, 150_000) : random.integer(100_000, 2_000_000)
  // In Amsterdam, some of the gas is beyond what regular gas may be.
  const reserved = fork === 'amsterdam' && random.chance(0.2) ? (1 << 24) - gasLimit + random.integer(0, 600_000) : 0
  return {
    fork,
    state,
    sender,
    to: creates
      ? undefined
      : authorizes && random.chance(0.4)
        ? random.pick(signers)
        : random.chance(0.9)
          ? random.pick(contracts)
          : random.pick(addresses),
    value: random.chance(0.6) ? 0n : BigInt(random.integer(1, 1000)),
    data,
    gasLimit: BigInt(gasLimit + reserved),
    gasPrice: BigInt(random.integer(10, 30)),
    accessList: random.chance(0.3)
      ? [{ address: random.pick(addresses), storageKeys: [word(random.integer(0, 3)), word(random.integer(0, 3))] }]
      : [],
    authorizationList,
  }
}

/** Authorizations of accounts that are there or not, delegate or not, some of them invalid. */
function makeAuthorizations(
  random: Random,
  state: Map<string, StateAccount>,
  addresses: readonly Address[],
): Authorization[] {
  const nonces = new Map<Address, number>()
  for (const signer of signers) {
    nonces.set(signer, 0)
    if (random.chance(0.4)) continue
    const code = random.chance(0.4) ? delegationTo(random.pick(addresses)) : new Uint8Array(0)
    const nonce = random.integer(code.length > 0 ? 1 : 0, 2)
    nonces.set(signer, nonce)
    // An account that is empty is not there (EIP-161), and the oracle would take it for one that is.
    const balance = BigInt(random.integer(nonce === 0 ? 1 : 0, 3))
    state.set(signer, { balance, nonce: BigInt(nonce), code, storage: new Map() })
  }
  return Array.from({ length: random.integer(1, 4) }, () => {
    const authority = random.pick(signers)
    const nonce = nonces.get(authority) as number
    const isValid = random.chance(0.85)
    if (isValid) nonces.set(authority, nonce + 1)
    return {
      authority,
      nonce: BigInt(isValid ? nonce : nonce + 5),
      chainId: random.chance(0.9) ? BigInt(random.integer(0, 1)) : isValid ? 1n : 9n,
      address: random.chance(0.2) ? `0x${'00'.repeat(20)}` : random.pick(addresses),
    }
  })
}
