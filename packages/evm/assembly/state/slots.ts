// Storage slots that are resident, and what this run did to them.
import { Account, endsWithRun, isFresh, run, State } from './accounts'
import { stateGas } from '../context'
import { Frame } from '../frames'
import { Price, price } from '../gas'
import { Entry, findEntry } from './entry'
import { hashWord } from '../crypto/hash'
import { allocateSlot, freeSlot } from '../heap'
import * as host from '../host'
import { keepU32, keepWord } from './journal'
import { EXCHANGE, MAX_TOUCHED, SLOT_TABLE, SLOT_TABLE_BITS, TOUCHED_SLOTS } from '../layout'
import { exhausted, setExhausted } from '../limits'
import { chargeState, creditState } from './stateGas'
import { copy, equal, fromBytes, isZero, set, toAddressBytes, toBytes } from '../words/words'

/** Its owner is a storage, as in `Account.storage`. */
@unmanaged
export class Slot extends Entry {
  account: u32
  state: u32
  /** The run that touched it last; `original` is its value before that run. */
  touched: u32
  /** The run in which it became warm. */
  warm: u32
  /** The run that wrote it last. */
  written: u32
  padding: u32
  original0: u64
  original1: u64
  original2: u64
  original3: u64

  @inline get original(): usize {
    return changetype<usize>(this) + offsetof<Slot>('original0')
  }
}

export let touchedSlots: u32 = 0
/** Gas to give back at the end of the transaction, before the cap. */
export let refund: i64 = 0

export function beginSlots(): void {
  touchedSlots = 0
  refund = 0
}

export function setRefund(value: i64): void {
  refund = value
}

@inline
function bucketOf(storage: u32, key: usize): usize {
  return SLOT_TABLE + (hashWord(key, storage, SLOT_TABLE_BITS) << 2)
}

/** A slot of an account, not loaded. */
export function findSlot(account: Account, key: usize): Slot {
  const storage = account.storage
  const bucket = bucketOf(storage, key)
  let p = findEntry(<usize>load<u32>(bucket), storage, key)
  if (p != 0) return changetype<Slot>(p)
  p = allocateSlot(offsetof<Slot>())
  const slot = changetype<Slot>(p)
  slot.owner = storage
  slot.account = <u32>changetype<usize>(account)
  copy(slot.key, key)
  slot.next = load<u32>(bucket)
  store<u32>(bucket, <u32>p)
  if (account.created == run) inheritWarmth(slot, account.originalStorage)
  return slot
}

/** A slot that the access list made warm is warm also in the storage of the account that was created there since. */
function inheritWarmth(slot: Slot, storage: u32): void {
  const p = findEntry(<usize>load<u32>(bucketOf(storage, slot.key)), storage, slot.key)
  if (p != 0) slot.warm = changetype<Slot>(p).warm
}

/** A slot of an account, loaded and part of the read set. */
function slotAt(account: Account, key: usize): Slot {
  const slot = findSlot(account, key)
  if (slot.touched != run) touch(slot)
  return slot
}

function touch(slot: Slot): void {
  if (slot.state == State.UNKNOWN) {
    if (isFresh(slot.owner)) slot.state = State.KNOWN
    else loadFromHost(slot)
  }
  slot.touched = run
  copy(slot.original, slot.value)
  if (touchedSlots == MAX_TOUCHED) return setExhausted()
  store<u32>(TOUCHED_SLOTS + ((<usize>touchedSlots) << 2), <u32>changetype<usize>(slot))
  touchedSlots++
}

@inline
export function touchedSlot(index: u32): Slot {
  return changetype<Slot>(<usize>load<u32>(TOUCHED_SLOTS + ((<usize>index) << 2)))
}

function loadFromHost(slot: Slot): void {
  toAddressBytes(EXCHANGE, changetype<Account>(<usize>slot.account).address)
  toBytes(EXCHANGE + 32, slot.key)
  if (host.loadSlot()) {
    slot.state = State.KNOWN
    fromBytes(slot.value, EXCHANGE + 64)
  } else {
    slot.state = State.ASSUMED
    set(slot.value, 0, 0, 0, 0)
  }
}

/** Forgets what this run assumed about slots, so that the next asks the host again. */
export function forgetAssumedSlots(): void {
  for (let i: u32 = 0; i < touchedSlots; i++) {
    const slot = touchedSlot(i)
    if (slot.state == State.ASSUMED) slot.state = State.UNKNOWN
  }
}

/** Frees the slots of storages that no account has any more, as those of contracts that this run created. */
export function freeEndedSlots(): void {
  // What a run without memory touched is thrown away with all of the heap.
  if (!exhausted)
    for (let i = touchedSlots; i > 0; i--) {
      const slot = touchedSlot(i - 1)
      if (endsWithRun(slot.owner)) unlink(slot)
    }
  touchedSlots = 0
}

/** Takes a slot out of its chain, whose links are the first field of entries. */
function unlink(slot: Slot): void {
  const p = <u32>changetype<usize>(slot)
  let link = bucketOf(slot.owner, slot.key)
  while (load<u32>(link) != p) link = <usize>load<u32>(link)
  store<u32>(link, slot.next)
  freeSlot(changetype<usize>(slot))
}

/** Makes a slot warm; returns whether it was cold. */
export function warmSlot(slot: Slot): bool {
  if (slot.warm == run) return false
  keepU32(changetype<usize>(slot) + offsetof<Slot>('warm'))
  slot.warm = run
  return true
}

/** SLOAD: replaces the key at `sp` by the value; answers the gas left after the surcharge for a cold slot. */
export function sload(account: Account, sp: usize, gas: i64): i64 {
  const slot = findSlot(account, sp)
  if (warmSlot(slot)) gas -= price(Price.COLD_SLOAD_SURCHARGE)
  // What is not paid for is not read (EIP-7928).
  if (gas < 0) return gas
  if (slot.touched != run) touch(slot)
  copy(sp, slot.value)
  return gas
}

/** SSTORE: the key is at `sp`, the value above. Answers the gas left; negative when it is too little. */
export function sstore(frame: Frame, sp: usize, gas: i64): i64 {
  const slot = slotAt(frame.selfAccount, sp)
  if (slot.written != run) {
    keepU32(changetype<usize>(slot) + offsetof<Slot>('written'))
    slot.written = run
  }
  return write(frame, slot, sp + 32, gas)
}

/** The value of a slot, in the read set, for a contract that the host runs: gas is the host's matter. */
export function valueAt(account: Account, key: usize): usize {
  return slotAt(account, key).value
}

/** The same for a write. */
export function putValue(account: Account, key: usize, value: usize): void {
  const slot = slotAt(account, key)
  if (slot.written != run) {
    keepU32(changetype<usize>(slot) + offsetof<Slot>('written'))
    slot.written = run
  }
  keepWord(slot.value)
  copy(slot.value, value)
}

/** Writes by EIP-2200, 2929 and 3529, and with state gas by EIP-8037 and 8038. Answers the gas left. */
function write(frame: Frame, slot: Slot, value: usize, gas: i64): i64 {
  const current = slot.value
  const original = slot.original
  if (warmSlot(slot)) gas -= price(Price.COLD_SSTORE)
  if (equal(current, value)) return gas - price(Price.WARM_ACCESS)
  const wasZero = isZero(original)
  const first = wasZero ? price(Price.SSTORE_SET) : price(Price.SSTORE_RESET)
  gas -= equal(original, current) ? first : price(Price.WARM_ACCESS)
  if (gas < 0) return gas
  if (!wasZero) {
    if (isZero(current)) refund -= price(Price.REFUND_CLEAR)
    else if (isZero(value)) refund += price(Price.REFUND_CLEAR)
  } else if (stateGas) {
    if (isZero(current)) gas = chargeState(frame, price(Price.SLOT_STATE), gas)
    else if (isZero(value)) gas = creditState(frame, price(Price.SLOT_STATE), gas)
  }
  if (equal(original, value)) refund += first - price(Price.WARM_ACCESS)
  keepWord(current)
  copy(current, value)
  return gas
}
