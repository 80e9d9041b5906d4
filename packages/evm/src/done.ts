import { Lazy } from './lazy.ts'
import type { Done, HaltReason } from './port.ts'
import { RunResultReader } from './runResult.ts'

/** A message that ran, and the length of its result. */
export type Ended = {
  gasUsed: bigint
  gasRefund: bigint
  surcharge: bigint
  blockGas: Done['blockGas']
  length: number
  halt: HaltReason | 'revert' | undefined
  createdAddress: Done['createdAddress']
}

/** The parts of a result that are expensive to read. */
export function partsOf(reader: RunResultReader, blockHashes: Set<bigint>, input: Uint8Array, preimages: boolean) {
  return {
    logs: new Lazy(() => reader.logs()),
    diff: new Lazy(() => reader.diff()),
    readSet: new Lazy(() => reader.readSet(blockHashes)),
    frames: new Lazy(() => reader.frames(input)),
    preimages: new Lazy(() => reader.preimages(preimages)),
  }
}

type Parts = ReturnType<typeof partsOf>

/** A result as data that another thread can read; what is expensive is read there. */
export type EncodedDone = { bytes: Uint8Array; ended: Ended; blockHashes: readonly bigint[]; preimages: boolean }

const encoded = new WeakMap<Done, () => EncodedDone>()

/** A copy of the result of a run of this thread. */
export function encodeDone(done: Done): EncodedDone {
  const encode = encoded.get(done)
  if (!encode) throw new Error('This result is not one of a run')
  return encode()
}

/** `input` is the data of the message that ran. */
export function decodeDone({ bytes, ended, blockHashes, preimages }: EncodedDone, input: Uint8Array): Done {
  const reader = new RunResultReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  return doneFrom(reader, partsOf(reader, new Set(blockHashes), input, preimages), ended, input)
}

/** The result of a run, from the bytes that the engine wrote. */
export function doneFromBytes(
  bytes: Buffer,
  reader: RunResultReader,
  parts: Parts,
  { ended, blockHashes, preimages }: Omit<EncodedDone, 'bytes'>,
  input: Uint8Array,
): Done {
  const done = doneFrom(reader, parts, ended, input)
  encoded.set(done, () => ({ bytes: new Uint8Array(bytes), ended, blockHashes, preimages }))
  return done
}

/** Parts that the run did not read are read on access. */
function doneFrom(
  reader: RunResultReader,
  parts: Parts,
  { gasUsed, gasRefund, surcharge, blockGas, halt, createdAddress }: Ended,
  input: Uint8Array,
): Done {
  return {
    type: 'done',
    status: halt === undefined ? 'success' : halt === 'revert' ? 'revert' : 'halt',
    halt: halt === 'revert' ? undefined : halt,
    gasUsed,
    gasRefund,
    surcharge,
    blockGas,
    createdAddress,
    framesTruncated: reader.framesTruncated(),
    consoleCalls: (limit) => reader.consoleCalls(input, limit),
    get output() {
      return reader.output()
    },
    get logs() {
      return parts.logs.get()
    },
    get diff() {
      return parts.diff.get()
    },
    get readSet() {
      return parts.readSet.get()
    },
    get frames() {
      return parts.frames.get()
    },
    get preimages() {
      return parts.preimages.get()
    },
  }
}
