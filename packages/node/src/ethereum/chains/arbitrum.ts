import type { Address, BlockContext, Hex, Word } from '@understudy/evm'
import { addressFromNumber, wordFromBigint } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import type { Header } from '../header.ts'
import { arbitrumBlockOf } from './contracts/arbSys.ts'

export const nodeInterface = addressFromNumber(0xc8)

/** Where ArbOS keeps its state: https://github.com/OffchainLabs/nitro, arbos/storage/storage.go. */
const arbosState: Address = '0xa4b05fffffffffffffffffffffffffffffffffff'
/** The key of the space of hashes of L1 (`blockhashesSubspace`, arbos/arbosState/arbosstate.go). */
const hashSpace = keccak(Uint8Array.of(6))

/** The slot of ArbOS that has the hash of a block of L1 (arbos/blockhash/blockhash.go). */
function l1HashSlot(number: bigint): readonly [Address, Word] {
  const key = Buffer.from(wordFromBigint(1n + (number % 256n)).slice(2), 'hex')
  const page = keccak(Buffer.concat([Buffer.from(hashSpace.slice(2), 'hex'), key.subarray(0, 31)]))
  return [arbosState, `0x${page.slice(2, 64)}${key.subarray(31).toString('hex')}`]
}

/**
 * What Nitro's JSON shows of a header beside what it encodes; `undefined` for headers of other chains. Only Arbitrum's have a
 * difficulty of 1 and a version of ArbOS.
 */
export function arbitrumFieldsOf(header: Header): { l1Number: bigint; sendCount: bigint; sendRoot: Hex } | undefined {
  if (header.difficulty !== 1n) return undefined
  const { l1Number, sendCount, arbosVersion } = arbitrumBlockOf({ ...header, chainId: 0n })
  return l1Number > 0n && arbosVersion > 0n ? { l1Number, sendCount, sendRoot: header.extraData } : undefined
}

/** The layer below a block: its number, and where its hashes are. */
export const l1Of = (header: Header): NonNullable<BlockContext['l1']> =>
  arbitrumL1(arbitrumBlockOf({ ...header, chainId: 0n }).l1Number)

export const arbitrumL1 = (number: bigint): NonNullable<BlockContext['l1']> => ({ number, hashSlot: l1HashSlot })
