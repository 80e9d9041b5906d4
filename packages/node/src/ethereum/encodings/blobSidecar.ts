import { createHash } from 'node:crypto'
import { RLP } from '@ethereumjs/rlp'
import type { Hex } from '@understudy/evm'
import { bytesFromHex, hexFromBytes } from '../../shared/hex.ts'

/** Cell proofs of a blob (EIP-7594). */
const cellsPerBlob = 128
/** The place of the versioned hashes among the fields of a blob transaction. */
const hashesPlace = 10

/**
 * A transaction without its blobs, of the form in which wallets send it (EIP-4844): `[fields, blobs, commitments,
 * proofs]`, or `[fields, 1, blobs, commitments, cell proofs]` (EIP-7594). Other transactions stay as they are. Throws
 * an `Error` if the blobs are not those that the transaction names. Their proofs are not verified.
 */
export function withoutSidecar(encoded: Hex): Hex {
  if (!encoded.startsWith('0x03')) return encoded
  const items = RLP.decode(bytesFromHex(`0x${encoded.slice(4)}`))
  const [fields] = items
  if (!Array.isArray(items) || !Array.isArray(fields)) return encoded
  const hasCells = items.length === 5 && items[1] instanceof Uint8Array
  if (hasCells && hexFromBytes(items[1] as Uint8Array) !== '0x01')
    throw new Error('unknown version of the blob sidecar')
  const lists = [fields[hashesPlace], ...items.slice(hasCells ? 2 : 1)].map(listOfBytes)
  const [named, blobs, commitments, proofs] = lists
  if (lists.length !== 4 || !named || !blobs || !commitments || !proofs)
    throw new Error('the blob sidecar has another form')
  const count = named.length
  if (blobs.length !== count || commitments.length !== count || proofs.length !== count * (hasCells ? cellsPerBlob : 1))
    throw new Error(`the blob sidecar does not have ${count} blobs, with their commitments and proofs`)
  if (commitments.some((commitment, index) => versionedHash(commitment) !== hexFromBytes(named[index] as Uint8Array)))
    throw new Error('the commitments of the blobs do not match the blob hashes of the transaction')
  return `0x03${hexFromBytes(RLP.encode(fields)).slice(2)}`
}

function listOfBytes(item: unknown): Uint8Array[] | undefined {
  return Array.isArray(item) && item.every((each) => each instanceof Uint8Array) ? item : undefined
}

/** The hash by which a transaction names a blob (EIP-4844). */
function versionedHash(commitment: Uint8Array): Hex {
  return `0x01${createHash('sha256').update(commitment).digest('hex').slice(2)}`
}
