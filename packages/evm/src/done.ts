import { Lazy } from './lazy.ts'
import type { Done, HaltReason } from './port.ts'
import type { RunResultReader } from './runResult.ts'

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

/** Parts that the run did not read are read on access. */
export function doneFrom(
  reader: RunResultReader,
  parts: Parts,
  { gasUsed, gasRefund, surcharge, blockGas, halt, createdAddress }: Ended,
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
