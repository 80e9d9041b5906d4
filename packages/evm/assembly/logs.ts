// Logs of this run. A log is its account, the number of topics, the length of its data, then topics and data.
import { copyBytes } from './words/bytes'
import { LOGS, LOGS_END } from './layout'
import { setExhausted } from './limits'

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
