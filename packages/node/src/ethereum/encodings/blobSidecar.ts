import { createHash } from 'node:crypto'
import type { Hex, Word } from '@understudy/evm'
import { NetworkError } from '../../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../../shared/hex.ts'
import { decodeRlp } from '../../shared/rlp/decodeRlp.ts'
import { encodeRlp } from '../../shared/rlp/encodeRlp.ts'
import { FieldReader, undecodable } from './fieldReader.ts'

/**
 * The blobs of a transaction, which are sent with it but are not part of it. There is one proof for each blob
 * (EIP-4844), or one for each of its cells (EIP-7594).
 */
export type BlobSidecar = { blobs: Uint8Array[]; commitments: Uint8Array[]; proofs: Uint8Array[] }

/** Bytes of a blob, and of a commitment or proof. */
export const [blobSize, pointSize] = [131_072, 48]
/** Cells of a blob, each with a proof (EIP-7594). */
export const cellsPerBlob = 128
/** The EIP-2718 number of blob transactions. */
const blobType = 3
/** The index of the versioned hashes among the fields of a blob transaction. */
const hashesIndex = 10

/**
 * Splits a blob transaction in the form in which wallets send it (EIP-4844): `[fields, blobs, commitments, proofs]`, or
 * `[fields, 1, blobs, commitments, cell proofs]` (EIP-7594). Other transactions have no sidecar. Throws
 * `TRANSACTION_INVALID` if the blobs are not those that the transaction names. Proofs are not verified.
 */
export function splitSidecar(sent: Uint8Array): { encoded: Uint8Array; sidecar: BlobSidecar | undefined } {
  const items = sent[0] === blobType ? FieldReader.ofWhole(sent, 1) : undefined
  if (!items?.isAtList) return { encoded: sent, sidecar: undefined }
  const from = items.at
  const fields = items.list('the list of its fields')
  const encoded = new Uint8Array(1 + items.at - from)
  encoded[0] = blobType
  encoded.set(sent.subarray(from, items.at), 1)
  const hasVersion = items.hasMore && !items.isAtList
  if (hasVersion && items.number('the version of the blob sidecar') !== 1n)
    throw undecodable('unknown version of the blob sidecar')
  const [blobs, commitments, proofs] = [
    listOf(items, 'the list of blobs', blobSize),
    listOf(items, 'the list of commitments', pointSize),
    listOf(items, 'the list of proofs', pointSize),
  ]
  items.end('the blob sidecar')
  requireMatch({ blobs, commitments, proofs }, hashesOf(fields), hasVersion ? cellsPerBlob : 1)
  return { encoded, sidecar: { blobs, commitments, proofs } }
}

/** The opposite of `splitSidecar`. */
export function withSidecar(encoded: Hex, { blobs, commitments, proofs }: BlobSidecar): Hex {
  const fields = decodeRlp(bytesFromHex(`0x${encoded.slice(4)}`))
  const version = proofs.length === blobs.length ? [] : [new Uint8Array([1])]
  return `0x03${hexFromBytes(encodeRlp([fields, ...version, blobs, commitments, proofs])).slice(2)}`
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

function listOf(items: FieldReader, name: string, size: number): Uint8Array[] {
  return items.list(name).all((list) => list.fixed(`an item of ${name}`, size))
}

/** The versioned hashes among the fields of a blob transaction. */
function hashesOf(fields: FieldReader): Word[] {
  for (let index = 0; index < hashesIndex && fields.hasMore; index++) fields.skip()
  return listOf(fields, 'blobVersionedHashes', 32).map(hexFromBytes)
}

const invalid = (text: string) => new NetworkError('TRANSACTION_INVALID', { text })
