import type { Hex, Word } from '@understudy/evm'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { emptyBloom } from './constants.ts'

/** The 2048-bit bloom filter of logs (yellow paper, 4.3.1). */
export function logsBloom(logs: readonly { address: Hex; topics: readonly Word[] }[]): Hex {
  if (logs.length === 0) return emptyBloom
  const bloom = new Uint8Array(256)
  for (const { address, topics } of logs)
    for (const item of [address, ...topics]) {
      const hash = Buffer.from(bytesFromHex(keccak(bytesFromHex(item))))
      for (const offset of [0, 2, 4]) {
        const bit = hash.readUInt16BE(offset) & 2047
        const index = 255 - (bit >> 3)
        bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7))
      }
    }
  return hexFromBytes(bloom)
}
