import type { Address, Word } from '@understudy/evm'
import { wordFromBigint } from '../shared/hex.ts'
import type { Header } from './header.ts'

export const beaconRoots: Address = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
export const blockHashes: Address = '0x0000f90827f1c53a10cb7a02335b175320002935'

export const isRing = (address: Address): boolean => address === beaconRoots || address === blockHashes

/** How many of the latest blocks each of these contracts remembers. */
export const ringLength = 8191n

/** Which of the contracts the protocol writes to. */
export type SystemRings = { beaconRoots: boolean; blockHashes: boolean }

export type RingFields = Pick<Header, 'number' | 'timestamp' | 'parentHash' | 'parentBeaconBlockRoot'>

/** What the protocol writes at the start of a block: the beacon root by time (EIP-4788), the parent's hash by number (EIP-2935). */
export function ringWrites(header: RingFields, rings: SystemRings): Map<Address, Map<Word, bigint>> {
  const writes = new Map<Address, Map<Word, bigint>>()
  if (rings.beaconRoots) {
    const index = header.timestamp % ringLength
    const root = BigInt(header.parentBeaconBlockRoot ?? 0)
    writes.set(
      beaconRoots,
      new Map([
        [wordFromBigint(index), header.timestamp],
        [wordFromBigint(index + ringLength), root],
      ]),
    )
  }
  if (rings.blockHashes) {
    const index = (header.number - 1n) % ringLength
    writes.set(blockHashes, new Map([[wordFromBigint(index), BigInt(header.parentHash)]]))
  }
  return writes
}
