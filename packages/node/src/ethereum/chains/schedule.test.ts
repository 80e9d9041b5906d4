import { expect, it } from 'vitest'
import { decodeStoredHeader, encodeStoredHeader, type Header, headerFromRpc } from '../header.ts'
import { scheduleOf } from '../rules.ts'

const headerOf = (number: bigint, timestamp: bigint): Header =>
  decodeStoredHeader(
    encodeStoredHeader(headerFromRpc({ number: `0x${number.toString(16)}`, timestamp: `0x${timestamp.toString(16)}` })),
  )
const mainnet = scheduleOf(1n, headerOf(12_900_000n, 1_627_000_000n))
const sepolia = scheduleOf(11_155_111n, headerOf(6_000_000n, 1_716_000_000n))
const today = 1_795_000_000n

it.each([
  [12_900_001n, 1_627_000_013n, 'berlin'],
  [12_900_001n, today, 'berlin'],
  [12_964_999n, today, 'berlin'],
  [12_965_000n, today, 'london'],
  [15_050_000n, today, 'london'],
  [15_537_393n, today, 'london'],
  [15_537_394n, 1_663_224_179n, 'paris'],
  [15_537_394n, today, 'bpo2'],
  [22_000_000n, 1_681_338_454n, 'paris'],
  [22_000_000n, 1_681_338_455n, 'shanghai'],
  [22_000_000n, 1_764_798_551n, 'osaka'],
])('mainnet has at block %i and the time %i the rules of %s', (number, timestamp, name) => {
  expect(mainnet?.nameAt({ number, timestamp })).toBe(name)
})

it('counts forks that the library does not date', () => {
  expect(sepolia?.nameAt({ number: 9_000_000n, timestamp: 1_791_294_815n })).toBe('bpo2')
  expect(sepolia?.nameAt({ number: 9_000_000n, timestamp: 1_791_294_816n })).toBe('amsterdam')
  expect(sepolia?.nameAt({ number: 9_000_000n, timestamp: 1_655_733_600n })).toBe('paris')
})

it('is none of a test chain with the id of a known one', () => {
  expect(scheduleOf(1n, headerOf(0n, today))).toBeUndefined()
  expect(scheduleOf(31337n, headerOf(0n, today))).toBeUndefined()
})
