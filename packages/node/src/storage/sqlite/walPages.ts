import { closeSync, existsSync, openSync, read } from 'node:fs'
import { promisify } from 'node:util'

const readSome = promisify(read)

const headerSize = 32
const frameHeaderSize = 24
/** Frames that are read before others have their turn. */
const framesAtOnce = 256

/** The page size of a log that has none: SQLite's own. */
export const pageSize = 4096

const frameSize = frameHeaderSize + pageSize

/** What SQLite has committed to its write-ahead log. */
type WalPages = {
  /** The checksum of the last content of each page, by its number. */
  sums: Map<number, number>
  /** The pages of the database after the last commit; `undefined` if nothing was committed. */
  size: number | undefined
}

/**
 * Reads the committed pages of a write-ahead log: those that SQLite would find itself.
 * https://www.sqlite.org/fileformat2.html#walformat
 */
export async function readWalPages(path: string, sumOf: (page: number, content: Buffer) => number): Promise<WalPages> {
  if (!existsSync(path)) return { sums: new Map(), size: undefined }
  const file = openSync(path, 'r')
  try {
    return await readFrames(file, sumOf)
  } finally {
    closeSync(file)
  }
}

async function readFrames(file: number, sumOf: (page: number, content: Buffer) => number): Promise<WalPages> {
  const found: WalPages = { sums: new Map(), size: undefined }
  const header = Buffer.alloc(headerSize)
  const frames = Buffer.alloc(framesAtOnce * frameSize)
  if ((await readSome(file, header, 0, headerSize, 0)).bytesRead < headerSize) return found
  const check = new WalCheck((header.readUInt32BE(0) & 1) === 0)
  check.add(header, 0, frameHeaderSize)
  if (!check.equals(header, frameHeaderSize)) return found
  /** Of a transaction whose commit was not read yet. */
  let pending: [page: number, sum: number][] = []
  for (let position = headerSize; ; position += frames.length) {
    const { bytesRead } = await readSome(file, frames, 0, frames.length, position)
    for (let at = 0; at + frameSize <= bytesRead; at += frameSize) {
      // Frames of an earlier round have other salts.
      if (frames.compare(header, 16, 24, at + 8, at + 16) !== 0) return found
      check.add(frames, at, 8)
      check.add(frames, at + frameHeaderSize, pageSize)
      if (!check.equals(frames, at + 16)) return found
      const page = frames.readUInt32BE(at)
      pending.push([page, sumOf(page, frames.subarray(at + frameHeaderSize, at + frameSize))])
      const committed = frames.readUInt32BE(at + 4)
      if (committed === 0) continue
      for (const [number, sum] of pending) found.sums.set(number, sum)
      pending = []
      found.size = committed
    }
    if (bytesRead < frames.length) return found
  }
}

/** The checksum of the log, which each frame continues. */
class WalCheck {
  readonly #isLittleEndian: boolean
  #first = 0
  #second = 0

  constructor(isLittleEndian: boolean) {
    this.#isLittleEndian = isLittleEndian
  }

  add({ buffer, byteOffset }: Buffer, start: number, length: number): void {
    const data = new DataView(buffer, byteOffset + start, length)
    for (let at = 0; at < length; at += 8) {
      this.#first = (this.#first + data.getUint32(at, this.#isLittleEndian) + this.#second) | 0
      this.#second = (this.#second + data.getUint32(at + 4, this.#isLittleEndian) + this.#first) | 0
    }
  }

  equals(bytes: Buffer, at: number): boolean {
    return bytes.readInt32BE(at) === this.#first && bytes.readInt32BE(at + 4) === this.#second
  }
}
