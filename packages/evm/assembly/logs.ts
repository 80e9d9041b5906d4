// Logs of this run. A log is its account (or SYSTEM), the number of topics, the length of its data, then topics and data.
import { copyBytes } from './words/bytes'
import { LOGS, LOGS_END, SCRATCH } from './layout'
import { setExhausted } from './limits'
import { copy, set, toBytes } from './words/words'

const HEADER: usize = 16

export let logsEnd: usize = LOGS
export let logCount: u32 = 0

export function clearLogs(): void {
  logsEnd = LOGS
  logCount = 0
}

export function truncateLogs(end: usize, count: u32): void {
  logsEnd = end
  logCount = count
}

/** Stands for the protocol, which has no account. */
export const SYSTEM: usize = 0

const TRANSFER_TOPICS: usize = SCRATCH + 0xc00
const TRANSFER_DATA: usize = SCRATCH + 0xc60

/** The log of a transfer of ether (EIP-7708 of 2026-07-10). */
export function appendTransferLog(from: usize, to: usize, value: usize): void {
  // keccak256('Transfer(address,address,uint256)')
  set(TRANSFER_TOPICS, 0x28f55a4df523b3ef, 0x952ba7f163c4a116, 0x69c2b068fc378daa, 0xddf252ad1be2c89b)
  copy(TRANSFER_TOPICS + 32, from)
  copy(TRANSFER_TOPICS + 64, to)
  toBytes(TRANSFER_DATA, value)
  appendLog(SYSTEM, 3, TRANSFER_TOPICS, TRANSFER_DATA, 32)
}

export function appendLog(account: usize, topicCount: u32, topics: usize, data: usize, length: u32): void {
  const p = logsEnd
  const dataAt = p + HEADER + ((<usize>topicCount) << 5)
  const end = (dataAt + length + 15) & ~15
  if (end > LOGS_END) return setExhausted()
  store<u32>(p, <u32>account)
  store<u32>(p, topicCount, 4)
  store<u32>(p, length, 8)
  copyBytes(p + HEADER, topics, (<usize>topicCount) << 5)
  copyBytes(dataAt, data, length)
  logsEnd = end
  logCount++
}
