import type { Hex, Word } from '@understudy/evm'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { emptyBloom } from './constants.ts'

/** The 2048-bit bloom filter of logs (yellow paper, 4.3.1). */
export function logsBloom(logs: readonly { address: Hex; topics: readonly Word[] }[]): Hex {
  if (logs.length === 0) return emptyBloom
  const bloom = new Uint8Array(256)
  for (const { address, topics } of logs)
    for (const item of [address, ...topics])
      for (const { index, mask } of bitsOf(item)) bloom[index] = (bloom[index] ?? 0) | mask
  return hexFromBytes(bloom)
}

/** Whether a block with this filter may have logs with one of the addresses, and one of the topics at each position. */
export function mayHaveLogs(
  bloom: Uint8Array,
  { addresses, topics }: { addresses: readonly Hex[] | undefined; topics: readonly (readonly Hex[] | undefined)[] },
): boolean {
  const has = (item: Hex) => bitsOf(item).every(({ index, mask }) => ((bloom[index] ?? 0) & mask) !== 0)
  const isSet = bloom.some((byte) => byte !== 0)
  return isSet && [addresses, ...topics].every((items) => !items || items.some(has))
}

/** The three bits of an address or a topic. */
function bitsOf(item: Hex): { index: number; mask: number }[] {
  const hash = Buffer.from(bytesFromHex(keccak(bytesFromHex(item))))
  return [0, 2, 4].map((offset) => {
    const bit = hash.readUInt16BE(offset) & 2047
    return { index: 255 - (bit >> 3), mask: 1 << (bit & 7) }
  })
}
