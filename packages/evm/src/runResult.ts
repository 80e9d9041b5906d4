import { addressFromLimbs, hexFromLimbs, readLimbs } from './bytes.ts'
import { decodeFrames } from './callFrames.ts'
import type { Address, CallFrame, Log, ReadSet, StateDiff, Word } from './port.ts'

const accountLength = 88
const slotLength = 72
const preimageLength = 96

const changed = { balance: 1, nonce: 2, code: 4, storageCleared: 8 } as const

/** In the order of the bits in assembly/context.ts. */
const environment = ['number', 'timestamp', 'coinbase', 'gasLimit', 'baseFee', 'prevRandao', 'blobBaseFee'] as const

/** The result of a run as assembly/results.ts lays it out. Nothing is decoded before it is asked for. */
export class RunResultReader {
  readonly #result: Buffer

  constructor(result: Buffer) {
    this.#result = result
  }

  /** A field of the header. */
  #header(index: number): number {
    return this.#result.readUInt32LE(index * 4)
  }

  #addresses(): Address[] {
    const at = this.#header(0)
    return Array.from({ length: this.#header(1) }, (_, i) => addressFromLimbs(this.#result, at + i * accountLength))
  }

  output(): Uint8Array {
    const at = this.#header(10)
    return new Uint8Array(this.#result.subarray(at, at + this.#header(11)))
  }

  framesTruncated(): boolean {
    return this.#header(19) !== 0
  }

  frames(input: Uint8Array): CallFrame[] {
    const section = {
      at: this.#header(6),
      count: this.#header(7),
      bytesAt: this.#header(8),
      bytesOrigin: this.#header(9),
    }
    return decodeFrames(this.#result, section, input)
  }

  logs(): Log[] {
    const result = this.#result
    const count = this.#header(5)
    const logs: Log[] = []
    if (count === 0) return logs
    const addresses = this.#addresses()
    let p = this.#header(4)
    for (let i = 0; i < count; i++) {
      const topicCount = result.readUInt32LE(p + 4)
      const dataLength = result.readUInt32LE(p + 8)
      const dataAt = p + 16 + topicCount * 32
      logs.push({
        address: addresses[result.readUInt32LE(p)] as Address,
        topics: Array.from({ length: topicCount }, (_, topic) => hexFromLimbs(result, p + 16 + topic * 32)),
        data: new Uint8Array(result.subarray(dataAt, dataAt + dataLength)),
      })
      // Logs are aligned where they were made, and the section begins aligned to 8 bytes only.
      p += (16 + topicCount * 32 + dataLength + 15) & ~15
    }
    return logs
  }

  diff(): StateDiff {
    const result = this.#result
    const diff: StateDiff = { accounts: new Map(), cleared: new Set(), slots: new Map() }
    const addresses = this.#addresses()
    let codeAt = this.#header(14)
    for (const [i, address] of addresses.entries()) {
      const p = this.#header(0) + i * accountLength
      const flags = result.readUInt32LE(p + 32)
      if ((flags & changed.storageCleared) !== 0) diff.cleared.add(address)
      if ((flags & (changed.balance | changed.nonce | changed.code)) === 0) continue
      const change: { balance?: bigint; nonce?: bigint; code?: Uint8Array } = {}
      if ((flags & changed.balance) !== 0) change.balance = readLimbs(result, p + 40)
      if ((flags & changed.nonce) !== 0) change.nonce = result.readBigUInt64LE(p + 72)
      if ((flags & changed.code) !== 0) {
        const length = result.readUInt32LE(codeAt)
        change.code = new Uint8Array(result.subarray(codeAt + 4, codeAt + 4 + length))
        codeAt = (codeAt + 4 + length + 7) & ~7
      }
      diff.accounts.set(address, change)
    }
    for (const slot of this.#slots()) {
      if (!slot.written) continue
      const address = addresses[slot.account] as Address
      const value = readLimbs(result, slot.valueAt)
      const slots = diff.slots.get(address)
      if (slots === undefined) diff.slots.set(address, new Map([[slot.key, value]]))
      else slots.set(slot.key, value)
    }
    return diff
  }

  *#slots(): Generator<{ key: Word; valueAt: number; account: number; written: boolean }> {
    const result = this.#result
    const at = this.#header(2)
    for (let i = 0; i < this.#header(3); i++) {
      const p = at + i * slotLength
      yield {
        key: hexFromLimbs(result, p),
        valueAt: p + 32,
        account: result.readUInt32LE(p + 64),
        written: result.readUInt32LE(p + 68) !== 0,
      }
    }
  }

  readSet(blockHashes: Set<bigint>): ReadSet {
    const addresses = this.#addresses()
    const slots = new Map<Address, Set<Word>>()
    for (const { key, account } of this.#slots()) {
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
    }
  }

  preimages(): Map<Word, Uint8Array> {
    const at = this.#header(12)
    const preimages = new Map<Word, Uint8Array>()
    for (let i = 0; i < this.#header(13); i++) {
      const p = at + i * preimageLength
      preimages.set(hexFromLimbs(this.#result, p), new Uint8Array(this.#result.subarray(p + 32, p + preimageLength)))
    }
    return preimages
  }
}
