import { NetworkError } from '../../shared/errors.ts'
import { bigintFromBytes } from '../../shared/hex.ts'
import { isCanonical, itemAt } from '../../shared/rlp/decodeRlp.ts'

/** The error for bytes that are no transaction, in geth's words. */
export const undecodable = (problem: string) =>
  new NetworkError('TRANSACTION_INVALID', { text: `rlp: cannot decode the transaction: ${problem}` })

/**
 * Reads the items of a list in their order. Accepts canonical RLP only, so that no two encodings are the same
 * transaction. Throws `TRANSACTION_INVALID`, naming the field.
 */
export class FieldReader {
  /** Where the content of the list begins. */
  readonly start: number
  readonly #bytes: Uint8Array
  readonly #end: number
  #at: number

  private constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes
    this.start = start
    this.#at = start
    this.#end = end
  }

  /** Of the list that fills the bytes from `at` on. */
  static ofWhole(bytes: Uint8Array, at: number): FieldReader {
    const whole = new FieldReader(bytes, at, bytes.length)
    const list = whole.list('the list of its fields')
    whole.end('the transaction')
    return list
  }

  /** Where the next item begins. */
  get at(): number {
    return this.#at
  }

  get hasMore(): boolean {
    return this.#at < this.#end
  }

  get isAtList(): boolean {
    return this.hasMore && (this.#bytes[this.#at] ?? 0) >= 0xc0
  }

  bytes(name: string): Uint8Array {
    const { start, end } = this.#item(name, false)
    return this.#bytes.slice(start, end)
  }

  fixed(name: string, size: number): Uint8Array {
    const bytes = this.bytes(name)
    if (bytes.length !== size) throw undecodable(`${name} has ${bytes.length} bytes instead of ${size}`)
    return bytes
  }

  /** A whole number of at most so many bytes. */
  number(name: string, size = 32): bigint {
    const { start, end } = this.#item(name, false)
    if (start < end && this.#bytes[start] === 0)
      throw undecodable(`non-canonical integer (leading zero bytes) in ${name}`)
    if (end - start > size) throw undecodable(`${name} has ${end - start} bytes, but at most ${size} are allowed`)
    return bigintFromBytes(this.#bytes.subarray(start, end))
  }

  list(name: string): FieldReader {
    const { start, end } = this.#item(name, true)
    return new FieldReader(this.#bytes, start, end)
  }

  /** Passes over an item. */
  skip(): void {
    this.#item('a field', this.isAtList)
  }

  /** What `read` makes of each item that is left. */
  all<Value>(read: (items: this) => Value): Value[] {
    const values: Value[] = []
    while (this.hasMore) values.push(read(this))
    return values
  }

  /** Throws if there are more items. */
  end(name: string): void {
    if (this.hasMore) throw undecodable(`${name} has too many elements`)
  }

  #item(name: string, isList: boolean): { start: number; end: number } {
    const item = this.hasMore ? itemAt(this.#bytes, this.#at) : undefined
    if (!item) throw undecodable(`too few elements: ${name} is missing`)
    if (item.end > this.#end) throw undecodable(`${name} is longer than what contains it`)
    if (item.isList !== isList) throw undecodable(`expected ${isList ? 'a list' : 'bytes'} for ${name}`)
    if (!isCanonical(this.#bytes, this.#at, item)) throw undecodable(`non-canonical size information in ${name}`)
    this.#at = item.end
    return item
  }
}
