// Contracts that the host runs: what it may ask and do while it does. All of it through EXCHANGE, as big-endian bytes.
import { Account } from '../state/accounts'
import { Frame, parentOf } from '../frames'
import { EXCHANGE, RETURN_DATA, SCRATCH } from '../layout'
import { appendLog } from '../logs'
import { putValue, valueAt } from '../state/slots'
import { hosted } from './run'
import { fromBytes, toAddressBytes, toBytes } from '../words/words'

const KEY: usize = SCRATCH + 0xd00
const VALUE: usize = SCRATCH + 0xd20
/** Four words. */
const TOPICS: usize = SCRATCH + 0xd40

/**
 * Writes what is called: its address at 0, the caller at 32, the caller's caller at 64, the value at 96, and as 32-bit numbers the
 * depth at 128, whether the frame is static at 132, and whether it runs in the name of another account at 136.
 */
export function describeHosted(): void {
  const frame = changetype<Frame>(hosted)
  toAddressBytes(EXCHANGE, frame.targetAccount.address)
  toAddressBytes(EXCHANGE + 32, frame.callerAccount.address)
  if (frame.depth == 0) memory.fill(EXCHANGE + 64, 0, 20)
  else toAddressBytes(EXCHANGE + 64, parentOf(frame).callerAccount.address)
  toBytes(EXCHANGE + 96, frame.value)
  store<u32>(EXCHANGE, frame.depth, 128)
  store<u32>(EXCHANGE, frame.isStatic, 132)
  store<u32>(EXCHANGE, <u32>(frame.self != frame.target), 136)
}

function account(): Account {
  return changetype<Frame>(hosted).targetAccount
}

/** The slot at 0 of the contract → its value at 32. */
export function readHostedSlot(): void {
  fromBytes(KEY, EXCHANGE)
  toBytes(EXCHANGE + 32, valueAt(account(), KEY))
}

/** Sets the slot at 0 of the contract to the value at 32. */
export function writeHostedSlot(): void {
  fromBytes(KEY, EXCHANGE)
  fromBytes(VALUE, EXCHANGE + 32)
  putValue(account(), KEY, VALUE)
}

/** A log of the contract: its topics at EXCHANGE, its data at RETURN_DATA. */
export function appendHostedLog(topicCount: u32, length: u32): void {
  for (let i: usize = 0; i < <usize>topicCount; i++) fromBytes(TOPICS + (i << 5), EXCHANGE + (i << 5))
  appendLog(changetype<usize>(account()), topicCount, TOPICS, RETURN_DATA, length)
}
