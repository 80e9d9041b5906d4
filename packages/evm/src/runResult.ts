import { addressFromLimbs, dataViewOf, hexFromLimbs, readLimbs } from './bytes.ts'
import { type ConsoleCall, decodeConsoleCalls, decodeFrames, type RecordSection } from './callFrames.ts'
import { isTime } from './lazy.ts'
import type { Address, CallFrame, Log, ReadSet, StateDiff, Word } from './port.ts'

const accountLength = 88
const slotLength = 72
const preimageLength = 96
/** The sender of what the protocol does itself (EIP-4788, EIP-7708). */
const systemAddress: Address = '0xfffffffffffffffffffffffffffffffffffffffe'

const changed = { balance: 1, nonce: 2, code: 4, storageCleared: 8 } as const

const feesBit = 256
/** In the order of the bits in assembly/context.ts. */
const environment = [
  'number',
  'timestamp',
  'coinbase',
  'gasLimit',
  'baseFee',
  'prevRandao',
  'blobBaseFee',
  'slotNumber',
] as const

/** In the header of a result: the fields that name its sections, and the first of those that say from where they are copied. */
const sectionFields = [4, 6, 8, 10, 12] as const
const firstSource = 20

/** What to copy from linear memory to have the result at `origin` in one piece; see assembly/results.ts. */
export function resultPieces(bytes: Buffer, origin: number): { from: number; to: number; length: number }[] {
  const field = (index: number) => bytes.readUInt32LE(origin + index * 4)
  const pieces = [{ from: origin, to: 0, length: field(sectionFields[0]) }]
  for (let index = 0; index < sectionFields.length; index++) {
    const source = firstSource + index * 2
    const length = field(source + 1)
    if (length > 0) pieces.push({ from: field(source), to: field(sectionFields[index] as number), length })
  }
  return pieces
}

/** Whether the result at `origin` has a call of `console.log`. */
export function callsConsole(bytes: Buffer, origin: number): boolean {
  return (bytes.readUInt32LE(origin + 19 * 4) & 2) !== 0
}

/** A copy of what the message returned, of the result at `origin`. */
export function outputOf(bytes: Buffer, origin: number): Uint8Array {
  const at = origin + (firstSource + 2 * sectionFields.indexOf(10)) * 4
  const from = bytes.readUInt32LE(at)
  return new Uint8Array(bytes.subarray(from, from + bytes.readUInt32LE(at + 4)))
}

/** The result of a run as assembly/results.ts lays it out. Nothing is decoded before it is asked for, and what is decoded yields now and then. */
export class RunResultReader {
  readonly #result: Buffer
  readonly #data: DataView
  #output: Uint8Array | undefined

  constructor(result: Buffer) {
    this.#result = result
    this.#data = dataViewOf(result)
  }

  /** A field of the header. */
  #header(index: number): number {
    return this.#result.readUInt32LE(index * 4)
  }

  *#addresses(): Generator<undefined, Address[]> {
    const [at, count] = [this.#header(0), this.#header(1)]
    const addresses: Address[] = []
    for (let i = 0; i < count; i++) {
      if (isTime(i)) yield
      addresses.push(addressFromLimbs(this.#result, at + i * accountLength))
    }
    return addresses
  }

  output(): Uint8Array {
    const at = this.#header(10)
    this.#output ??= new Uint8Array(this.#result.subarray(at, at + this.#header(11)))
    return this.#output
  }

  framesTruncated(): boolean {
    return (this.#header(19) & 1) !== 0
  }

  frames(input: Uint8Array): Generator<undefined, CallFrame[]> {
    return decodeFrames(this.#result, this.#records(), input)
  }

  consoleCalls(input: Uint8Array, limit: number): ConsoleCall[] {
    return callsConsole(this.#result, 0) ? decodeConsoleCalls(this.#result, this.#records(), input, limit) : []
  }

  #records(): RecordSection {
    return { at: this.#header(6), count: this.#header(7), bytesAt: this.#header(8), bytesOrigin: this.#header(9) }
  }

  *logs(): Generator<undefined, Log[]> {
    const result = this.#result
    const count = this.#header(5)
    const logs: Log[] = []
    if (count === 0) return logs
    const addresses = yield* this.#addresses()
    let p = this.#header(4)
    for (let i = 0; i < count; i++) {
      if (isTime(i)) yield
      const topicCount = result.readUInt32LE(p + 4)
      const dataLength = result.readUInt32LE(p + 8)
      const dataAt = p + 16 + topicCount * 32
      logs.push({
        // The protocol's own logs have no account.
        address: addresses[result.readUInt32LE(p)] ?? systemAddress,
        topics: Array.from({ length: topicCount }, (_, topic) => hexFromLimbs(result, p + 16 + topic * 32)),
        data: new Uint8Array(result.subarray(dataAt, dataAt + dataLength)),
      })
      // Logs are aligned where they were made, and the section begins aligned to 8 bytes only.
      p += (16 + topicCount * 32 + dataLength + 15) & ~15
    }
    return logs
  }

  *diff(): Generator<undefined, StateDiff> {
    const result = this.#result
    const diff: StateDiff = { accounts: new Map(), cleared: new Set(), slots: new Map() }
    const addresses = yield* this.#addresses()
    let codeAt = this.#header(14)
    for (const [i, address] of addresses.entries()) {
      if (isTime(i)) yield
      const p = this.#header(0) + i * accountLength
      const flags = result.readUInt32LE(p + 32)
      if ((flags & changed.storageCleared) !== 0) diff.cleared.add(address)
      if ((flags & (changed.balance | changed.nonce | changed.code)) === 0) continue
      const change: { balance?: bigint; nonce?: bigint; code?: Uint8Array } = {}
      if ((flags & changed.balance) !== 0) change.balance = readLimbs(this.#data, p + 40)
      if ((flags & changed.nonce) !== 0) change.nonce = result.readBigUInt64LE(p + 72)
      if ((flags & changed.code) !== 0) {
        const length = result.readUInt32LE(codeAt)
        change.code = new Uint8Array(result.subarray(codeAt + 4, codeAt + 4 + length))
        codeAt = (codeAt + 4 + length + 7) & ~7
      }
      diff.accounts.set(address, change)
    }
    for (let i = 0; i < this.#header(3); i++) {
      if (isTime(i)) yield
      const { at, account, isWritten } = this.#slot(i)
      if (!isWritten) continue
      const address = addresses[account] as Address
      const [key, value] = [hexFromLimbs(result, at), readLimbs(this.#data, at + 32)]
      const slots = diff.slots.get(address)
      if (slots === undefined) diff.slots.set(address, new Map([[key, value]]))
      else slots.set(key, value)
    }
    return diff
  }

  /** Slot `index`: its key, and its value after it, are at `at`. */
  #slot(index: number): { at: number; account: number; isWritten: boolean } {
    const at = this.#header(2) + index * slotLength
    const result = this.#result
    return { at, account: result.readUInt32LE(at + 64), isWritten: result.readUInt32LE(at + 68) !== 0 }
  }

  *readSet(blockHashes: Set<bigint>): Generator<undefined, ReadSet> {
    const addresses = yield* this.#addresses()
    const slots = new Map<Address, Set<Word>>()
    for (let i = 0; i < this.#header(3); i++) {
      if (isTime(i)) yield
      const { at, account } = this.#slot(i)
      const key = hexFromLimbs(this.#result, at)
      const address = addresses[account] as Address
      const keys = slots.get(address)
      if (keys === undefined) slots.set(address, new Set([key]))
      else keys.add(key)
    }
    const bits = this.#header(18)
    return {
      accounts: new Set(addresses),
      slots,
      blockHashes,
      environment: new Set(environment.filter((_, bit) => (bits & (1 << bit)) !== 0)),
      fees: (bits & feesBit) !== 0,
    }
  }

  /** `undefined` where they were not collected. */
  *preimages(collected: boolean): Generator<undefined, Map<Word, Uint8Array> | undefined> {
    if (!collected) return undefined
    const at = this.#header(12)
    const preimages = new Map<Word, Uint8Array>()
    for (let i = 0; i < this.#header(13); i++) {
      if (isTime(i)) yield
      const p = at + i * preimageLength
      preimages.set(hexFromLimbs(this.#result, p), new Uint8Array(this.#result.subarray(p + 32, p + preimageLength)))
    }
    return preimages
  }
}
