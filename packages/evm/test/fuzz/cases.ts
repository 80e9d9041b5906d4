import { createRandom } from '@understudy/testkit'
import type { AccessListItem, Address, Fork, Hex, Word } from '../../src/port.ts'
import type { StateAccount } from '../conformance/trie.ts'
import { delegationTo, ProgramWriter } from './program.ts'

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
}

export const coinbase: Address = `0x${'c0'.repeat(20)}`
const sender: Address = `0x${'5e'.repeat(20)}`
const nobody: Address = `0x${'99'.repeat(20)}`

function word(value: number): Word {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** Makes a case from its seed: some contracts that know of each other, and a transaction. */
export function makeCase(seed: number): FuzzCase {
  const random = createRandom(seed)
  const fork = random.pick<Fork>([
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
  if (['prague', 'osaka', 'amsterdam'].includes(fork) && random.chance(0.5)) {
    state.set(delegator, { ...empty(), balance: 5n, nonce: 1n, code: delegationTo(random.pick(addresses)) })
  }
  const creates = random.chance(0.1)
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
    to: creates ? undefined : random.chance(0.9) ? random.pick(contracts) : random.pick(addresses),
    value: random.chance(0.6) ? 0n : BigInt(random.integer(1, 1000)),
    data,
    gasLimit: BigInt(gasLimit + reserved),
    gasPrice: BigInt(random.integer(10, 30)),
    accessList: random.chance(0.3)
      ? [{ address: random.pick(addresses), storageKeys: [word(random.integer(0, 3)), word(random.integer(0, 3))] }]
      : [],
  }
}
