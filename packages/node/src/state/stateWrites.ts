import type { Address, StateDiff, Word } from '@understudy/evm'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import type { StateCause } from '../storage/records/state/stateCauses.ts'
import type { CodeObserver } from './change.ts'
import type { CurrentState } from './currentState.ts'
import { emptyDiff, nextCommitment } from './diff.ts'
import type { FollowSet } from './followSet.ts'
import type { LocalState } from './localState.ts'
import { loadAccount, loadStorage } from './view.ts'

/** The position of a variable in its slot: `offset` and `size` are bytes from the low end. `value` must fit. */
export type StorageVariable = { slot: Word; offset: number; size: number; value: bigint }

/** Direct writes: they apply to `latest` at once and are durable before they resolve. */
export type StateWrites = {
  /** Sets the balance of each account, of all or of none. */
  setBalances(addresses: readonly Address[], wei: bigint): Promise<void>
  /** Adds to the balance of each account, or of none; as often as it is named. Returns the new balances. */
  addBalances(addresses: readonly Address[], wei: bigint): Promise<ReadonlyMap<Address, bigint>>
  setNonce(address: Address, nonce: bigint): Promise<void>
  setCode(address: Address, code: Uint8Array): Promise<void>
  setStorageAt(address: Address, slot: Word, value: bigint): Promise<void>
  /** Sets the bytes of one variable, in two's complement, and keeps the rest of its slot. Returns the new slot. */
  setStorageVariable(address: Address, variable: StorageVariable): Promise<bigint>
  /** Writes several accounts in one change; `cause` says why slots change. */
  write(diff: StateDiff, cause?: StateCause): Promise<void>
}

type Needs = {
  current: CurrentState
  exclusive<T>(task: () => Promise<T>): Promise<T>
  engine: Pick<Engine, 'advance'>
  observeCode: CodeObserver
}

export function createStateWrites({ current, exclusive, engine, observeCode }: Needs): StateWrites {
  async function writeNow(diff: StateDiff, cause?: StateCause): Promise<void> {
    requireNotFollowed(diff, current.follows)
    const before = current.latest.identity
    const after = {}
    const commitment = nextCommitment(current.commitment, diff)
    const saveCodes = await observeCode(codesOf(diff))
    const lowersNonce = await lowersLocalNonce(diff, current.local)
    await current.commit([{ diff, commitment }], {
      base: current.base,
      identity: after,
      async save(queries, seq) {
        await saveCodes(queries)
        if (lowersNonce) await current.noteNoncesBack(queries)
        if (cause) await current.addCause(queries, seq, cause)
      },
    })
    engine.advance(before, after, diff)
  }

  const write = (diff: StateDiff, cause?: StateCause) => exclusive(() => writeNow(diff, cause))

  return {
    write,
    setBalances: (addresses, wei) => write(withBalances(addresses.map((address) => [address, wei]))),
    addBalances: (addresses, wei) =>
      exclusive(async () => {
        const balances = new Map<Address, bigint>()
        for (const address of addresses) {
          const before = balances.get(address) ?? (await loadAccount(current.latest, address)).balance
          balances.set(address, before + wei)
        }
        if ([...balances.values()].some((balance) => balance >> 256n !== 0n))
          throw new NetworkError('INVALID_PARAMS', { field: 'amount', problem: 'the sum exceeds 2^256-1' })
        await writeNow(withBalances([...balances]))
        return balances
      }),
    setNonce: (address, nonce) => write(ofAccount(address, { nonce })),
    setCode: (address, code) => write(ofAccount(address, { code })),
    setStorageAt: (address, slot, value) => write(ofSlot(address, slot, value), 'setStorageAt'),
    setStorageVariable: (address, { slot, offset, size, value }) =>
      exclusive(async () => {
        const shift = BigInt(offset * 8)
        const mask = ((1n << BigInt(size * 8)) - 1n) << shift
        const others = (await loadStorage(current.latest, address, slot)) & ~mask
        const word = others | (BigInt.asUintN(size * 8, value) << shift)
        await writeNow(ofSlot(address, slot, word), 'setStorageVariable')
        return word
      }),
  }
}

const withBalances = (balances: readonly (readonly [Address, bigint])[]): StateDiff => ({
  ...emptyDiff(),
  accounts: new Map(balances.map(([address, balance]) => [address, { balance }])),
})

const ofAccount = (address: Address, fields: { nonce?: bigint; code?: Uint8Array }): StateDiff => ({
  ...emptyDiff(),
  accounts: new Map([[address, fields]]),
})

const ofSlot = (address: Address, slot: Word, value: bigint): StateDiff => ({
  ...emptyDiff(),
  slots: new Map([[address, new Map([[slot, value]])]]),
})

const codesOf = ({ accounts }: StateDiff) =>
  new Map([...accounts].flatMap(([address, { code }]) => (code?.length ? [[address, code] as const] : [])))

/** Whether a nonce becomes smaller than that of the transactions that were sent here. */
async function lowersLocalNonce(diff: StateDiff, local: LocalState): Promise<boolean> {
  const nonces = [...diff.accounts].flatMap(([address, { nonce }]) => (nonce === undefined ? [] : [{ address, nonce }]))
  if (nonces.length === 0) return false
  await local.load(
    nonces.map(({ address }) => address),
    new Map(),
  )
  return nonces.some(({ address, nonce }) => nonce < (local.account(address)?.nonce ?? 0n))
}

/** Throws `ACCOUNT_FOLLOWED`, `SLOT_FOLLOWED`. */
function requireNotFollowed(diff: StateDiff, follows: FollowSet): void {
  if (follows.isEmpty) return
  for (const address of diff.accounts.keys())
    if (follows.hasAccount(address)) throw new NetworkError('ACCOUNT_FOLLOWED', { address })
  for (const [address, slots] of diff.slots)
    for (const slot of slots.keys())
      if (follows.hasSlot(address, slot)) throw new NetworkError('SLOT_FOLLOWED', { address, slot })
}
