import { createHash } from 'node:crypto'
import { RLP } from '@ethereumjs/rlp'
import type { Hex, Word } from '@understudy/evm'
import { NetworkError } from '../../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../../shared/hex.ts'

/**
 * The blobs of a transaction, which are sent with it but are not part of it. There is one proof for each blob
 * (EIP-4844), or one for each of its cells (EIP-7594).
 */
export type BlobSidecar = { blobs: Uint8Array[]; commitments: Uint8Array[]; proofs: Uint8Array[] }

/** Bytes of a blob, and of a commitment or proof. */
export const [blobSize, pointSize] = [131_072, 48]
/** Cells of a blob, each with a proof (EIP-7594). */
export const cellsPerBlob = 128
/** The place of the versioned hashes among the fields of a blob transaction. */
const hashesPlace = 10

/**
 * Splits a blob transaction in the form in which wallets send it (EIP-4844): `[fields, blobs, commitments, proofs]`, or
 * `[fields, 1, blobs, commitments, cell proofs]` (EIP-7594). Other transactions have no sidecar. Throws
 * `TRANSACTION_INVALID` if the blobs are not those that the transaction names. Proofs are not verified.
 */
export function splitSidecar(sent: Hex): { encoded: Hex; sidecar: BlobSidecar | undefined } {
  const items = sent.startsWith('0x03') ? decodedList(sent) : []
  const [fields] = items
  if (!Array.isArray(fields)) return { encoded: sent, sidecar: undefined }
  const hasVersion = items.length === 5 && items[1] instanceof Uint8Array
  if (hasVersion && hexFromBytes(items[1] as Uint8Array) !== '0x01')
    throw undecodable('unknown version of the blob sidecar')
  const [hashes, blobs, commitments, proofs, ...more] = [
    listOf(fields[hashesPlace], 32),
    ...items.slice(hasVersion ? 2 : 1).map((list, index) => listOf(list, index === 0 ? blobSize : pointSize)),
  ]
  if (!hashes || !blobs || !commitments || !proofs || more.length > 0)
    throw undecodable('the blob sidecar has another form')
  requireMatch({ blobs, commitments, proofs }, hashes.map(hexFromBytes), hasVersion ? cellsPerBlob : 1)
  return { encoded: `0x03${hexFromBytes(RLP.encode(fields)).slice(2)}`, sidecar: { blobs, commitments, proofs } }
}

/** The opposite of `splitSidecar`. */
export function withSidecar(encoded: Hex, { blobs, commitments, proofs }: BlobSidecar): Hex {
  const fields = RLP.decode(bytesFromHex(`0x${encoded.slice(4)}`))
  const version = proofs.length === blobs.length ? [] : [new Uint8Array([1])]
  return `0x03${hexFromBytes(RLP.encode([fields, ...version, blobs, commitments, proofs])).slice(2)}`
}

/** The hash by which a transaction names a blob (EIP-4844). */
export function versionedHash(commitment: Uint8Array): Word {
  return `0x01${createHash('sha256').update(commitment).digest('hex').slice(2)}`
}

/** Throws `TRANSACTION_INVALID`, in geth's words. */
function requireMatch({ blobs, commitments, proofs }: BlobSidecar, hashes: Word[], proofsPerBlob: number): void {
  const count = hashes.length
  if (blobs.length !== count) throw invalid(`invalid number of ${blobs.length} blobs compared to ${count} blob hashes`)
  if (commitments.length !== count)
    throw invalid(`invalid number of ${commitments.length} blob commitments compared to ${count} blob hashes`)
  for (const [index, commitment] of commitments.entries()) {
    const hash = versionedHash(commitment)
    if (hash !== hashes[index])
      throw invalid(`blob ${index}: computed hash ${hash} mismatches transaction one ${hashes[index]}`)
  }
  if (proofs.length !== count * proofsPerBlob)
    throw invalid(`invalid number of ${proofs.length} blob proofs expected ${count * proofsPerBlob}`)
}

function decodedList(sent: Hex): unknown[] {
  try {
    const items = RLP.decode(bytesFromHex(`0x${sent.slice(4)}`))
    return Array.isArray(items) ? items : []
  } catch (cause) {
    throw undecodable(cause instanceof Error ? cause.message : String(cause))
  }
}

function listOf(item: unknown, size: number): Uint8Array[] | undefined {
  if (!Array.isArray(item) || !item.every((each) => each instanceof Uint8Array)) return undefined
  const wrong = item.find(({ length }) => length !== size)
  if (wrong) throw undecodable(`the blob sidecar has an item of ${wrong.length} bytes instead of ${size}`)
  return item
}

const invalid = (text: string) => new NetworkError('TRANSACTION_INVALID', { text })
const undecodable = (problem: string) => invalid(`rlp: cannot decode the transaction: ${problem}`)
