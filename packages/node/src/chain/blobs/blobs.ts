import { type Hex, rulesOf, type Word } from '@understudy/evm'
import { type BlobSidecar, cellsPerBlob, versionedHash } from '../../ethereum/encodings/blobSidecar.ts'
import type { SignedType } from '../../ethereum/transaction.ts'
import type { CallRequest } from '../../execution/execution.ts'
import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Database } from '../../storage/database.ts'
import { addBlobs, loadBlob } from '../../storage/records/chain/blobs.ts'
import type { History } from '../history/history.ts'
import { createKzg } from './kzg.ts'

/** A request for a transaction, which may have blobs: alone, or with their commitments and proofs. */
export type TransactionRequest = CallRequest & Partial<BlobSidecar> & { type?: SignedType }

/** The blobs of transactions: checking them, and keeping the newest. */
export type Blobs = {
  /** Verifies the proofs. Throws `TRANSACTION_INVALID`. */
  verify(sidecar: BlobSidecar): Promise<void>
  /**
   * Takes the blobs out of a request and puts their hashes in. Commitments are computed if they are missing, and proofs
   * if `withProofs`. Throws `TRANSACTION_INVALID` if they do not match, or there are too many.
   */
  take(request: TransactionRequest, options: { withProofs: boolean }): MaybePromise<TakenBlobs>
  /** Durable when it resolves. */
  store(sidecar: BlobSidecar): Promise<void>
  /** `undefined` if it is unknown, or no longer kept. */
  byHash(hash: Word): Promise<Hex | undefined>
  /** The blobs of a transaction of the network; `undefined` if one of them is not kept, or there are none. */
  ofTransaction(hash: Word): Promise<Hex[] | undefined>
  stop(): Promise<void>
}

type TakenBlobs = { request: Omit<TransactionRequest, keyof BlobSidecar>; sidecar: BlobSidecar | undefined }

export function createBlobs(
  { keepBlobs }: { keepBlobs: number },
  {
    database,
    history,
    clock,
  }: { database: Database; history: Pick<History, 'next' | 'loadTransaction'>; clock: Clock },
): Blobs {
  const kzg = createKzg({ clock })

  const byHash = (hash: Word) => loadBlob(database.queries, hash)

  /** The commitments and proofs of a request, verified or computed. */
  async function sidecarOf(
    blobs: Uint8Array[],
    commitments: Uint8Array[] | undefined,
    proofs: Uint8Array[] | undefined,
    withProofs: boolean,
  ): Promise<BlobSidecar> {
    const count = blobs.length
    if (!commitments && proofs) throw invalid('blob proofs provided while commitments were not')
    if (commitments && !proofs) throw invalid('blob commitments provided while proofs were not')
    if (!commitments || !proofs) {
      const computed = await kzg.commit(blobs)
      return { blobs, commitments: computed, proofs: withProofs ? await kzg.prove(blobs, computed) : [] }
    }
    if (commitments.length !== count)
      throw invalid(`number of blobs and commitments mismatch (have=${commitments.length}, want=${count})`)
    if (proofs.length !== count && proofs.length !== count * cellsPerBlob)
      throw invalid(`number of blobs and proofs mismatch (have=${proofs.length}, want=${count})`)
    await kzg.verify({ blobs, commitments, proofs })
    return { blobs, commitments, proofs }
  }

  async function takeFrom(
    { blobs: _, commitments, proofs, ...request }: TransactionRequest,
    blobs: Uint8Array[],
    withProofs: boolean,
  ): Promise<TakenBlobs> {
    const max = rulesOf(history.next().block).maxBlobs
    const given = request.blobVersionedHashes
    if (blobs.length === 0) throw invalid('need at least 1 blob for a blob transaction')
    if (blobs.length > max) throw invalid(`too many blobs in transaction (have=${blobs.length}, max=${max})`)
    if (given && given.length !== blobs.length)
      throw invalid(`number of blobs and hashes mismatch (have=${given.length}, want=${blobs.length})`)
    const sidecar = await sidecarOf(blobs, commitments, proofs, withProofs)
    const hashes = sidecar.commitments.map(versionedHash)
    const wrong = given?.findIndex((hash, index) => hash !== hashes[index]) ?? -1
    if (wrong >= 0) throw invalid(`blob hash verification failed (have=${given?.[wrong]}, want=${hashes[wrong]})`)
    return { request: { ...request, blobVersionedHashes: hashes }, sidecar }
  }

  return {
    verify: kzg.verify,
    take: (request, { withProofs }) =>
      request.blobs ? takeFrom(request, request.blobs, withProofs) : { request, sidecar: undefined },
    async store({ blobs, commitments }) {
      const byHash = new Map(blobs.map((blob, index) => [versionedHash(commitments[index] as Uint8Array), blob]))
      const records = [...byHash].map(([hash, blob]) => ({ hash, blob }))
      if (keepBlobs > 0) await database.transaction((queries) => addBlobs(queries, records, keepBlobs))
    },
    byHash,
    async ofTransaction(hash) {
      const found = await history.loadTransaction(hash)
      if (found?.origin !== 'local' || !found.value.transaction.blobVersionedHashes) return undefined
      const blobs: Hex[] = []
      for (const each of found.value.transaction.blobVersionedHashes) {
        const blob = await byHash(each)
        if (blob === undefined) return undefined
        blobs.push(blob)
      }
      return blobs
    },
    stop: kzg.stop,
  }
}

const invalid = (text: string) => new NetworkError('TRANSACTION_INVALID', { text })
