import { hexAt } from '../bytes.ts'
import type { EngineExports } from '../wasm.ts'
import type { CoverageSink } from './coverageSink.ts'

/** Bytes of a mark that a run has reached. */
const markSize = 16
/** In a position: the code ran to create a contract. */
const creation = 0x40000000

/** The marks of coverage in one instance of the engine; see assembly/state/coverage.ts. */
export class CoverageMarks {
  /** Of the current run. */
  #sink: CoverageSink | undefined
  /** The session that resident codes have marks for. */
  #session = 0

  /** The instance was replaced. */
  forget(): void {
    this.#session = 0
  }

  /** Before a run: whether the codes must become resident again, with marks or without. */
  begin(exports: EngineExports, sink: CoverageSink | undefined): boolean {
    this.#sink = sink
    const session = sink?.session ?? this.#session
    if (session === this.#session && (session === 0 || exports.marksLost.value === 0)) return false
    this.#session = session
    exports.setCovering(Number(session !== 0))
    return true
  }

  /** Rolls back a run, and hands over what it has reached if its result counts. */
  end(exports: EngineExports, isDone: boolean): void {
    if (isDone) this.#take(exports)
    exports.rollback()
  }

  #take(exports: EngineExports): void {
    const sink = this.#sink
    if (!sink || this.#session === 0) return
    const [from, end] = [exports.MARKS.value, exports.marksEnd.value]
    if (end === from) return
    const bytes = Buffer.from(exports.memory.buffer)
    const byCode = new Map<number, { created: number[]; called: number[] }>()
    for (let at = from; at < end; at += markSize) {
      const pointer = bytes.readUInt32LE(at)
      const position = bytes.readUInt32LE(at + 4)
      const marks = byCode.get(pointer) ?? { created: [], called: [] }
      byCode.set(pointer, marks)
      if (position & creation) marks.created.push((position & ~creation) >>> 0)
      else marks.called.push(position)
    }
    const exchange = exports.EXCHANGE.value
    for (const [pointer, { created, called }] of byCode) {
      exports.describeCode(pointer)
      const hash = hexAt(bytes, exchange, exchange + 32)
      const [length, raw] = [bytes.readUInt32LE(exchange + 32), bytes.readUInt32LE(exchange + 36)]
      const code = () => new Uint8Array(bytes.subarray(raw, raw + length))
      if (created.length > 0) sink.add(this.#session, { hash, isCreation: true, positions: created, code })
      if (called.length > 0) sink.add(this.#session, { hash, isCreation: false, positions: called, code })
    }
    exports.clearMarks()
  }
}
