import type { VariableType } from '@understudy/client/artifacts'
import { hexFromBytes } from '../../shared/hex.ts'
import { formatIndex, type PathStep } from '../storageLayout/path.ts'
import { StorageQueryError } from '../storageLayout/storageItem.ts'
import { formatWord, NotAValueError } from './words.ts'

/** What the machine holds. */
export type Machine = { memory: Uint8Array; calldata: Uint8Array }

/** Where a value is: in a word, or from a byte of memory or calldata on. `length`: of a dynamic one whose length is elsewhere. */
export type Pointer =
  | { in: 'word'; word: bigint; isOnStack: boolean }
  | { in: 'memory'; at: number }
  | { in: 'calldata'; at: number; length?: number | undefined }

/** A value or, for one of several parts, a page of them. */
export type Shown = {
  value: string | undefined
  /** Number of array elements, or bytes of a text. */
  length: bigint | undefined
  parts: Part[] | undefined
  /** The index of the next part. */
  next: number | undefined
}

export type Part = { name: string; type: number; pointer: Pointer }

/** The most bytes of a text that are shown. */
const textLimit = 1024
const depthLimit = 32
/** Memory and calldata are smaller. */
const addressLimit = 2n ** 32n

/** Reads values by their types, without trust in anything. All methods throw `NotAValueError`. */
export class ValueReader {
  readonly #types: readonly VariableType[]
  readonly #machine: Machine
  /** Of types that were asked for: types can share parts many times over. */
  readonly #dynamicTypes = new Map<number, boolean>()
  readonly #headSizes = new Map<number, number>()

  constructor(types: readonly VariableType[], machine: Machine) {
    this.#types = types
    this.#machine = machine
  }

  type(number: number): VariableType {
    const type = this.#types[number]
    if (!type) throw new NotAValueError('not known: its type was not imported')
    return type
  }

  /** The pointer of a variable of which the words on the stack are known. */
  pointerOf(location: 'stack' | 'memory' | 'calldata', words: readonly bigint[]): Pointer {
    const [word = 0n, length] = words
    if (location === 'stack') return { in: 'word', word, isOnStack: true }
    const at = addressOf(word)
    return location === 'memory'
      ? { in: 'memory', at }
      : { in: 'calldata', at, length: length === undefined ? undefined : addressOf(length) }
  }

  show(type: number, pointer: Pointer, from: number, limit: number): Shown {
    const shape = this.type(type)
    const whole = { value: undefined, length: undefined, parts: undefined, next: undefined }
    if (pointer.in === 'word') return { ...whole, value: this.#word(shape, pointer) }
    if (shape.kind === 'text') return { ...whole, ...this.#text(shape.label, pointer) }
    const count = this.#count(shape, pointer)
    const end = Math.min(count, from + limit)
    const parts = []
    for (let at = from; at < end; at++) parts.push(this.#part(shape, pointer, at))
    return {
      ...whole,
      length: shape.kind === 'array' ? BigInt(count) : undefined,
      parts,
      next: end < count ? end : undefined,
    }
  }

  /** The part at a step of a path. Throws `StorageQueryError` if there is none. */
  partAt(path: string, type: number, pointer: Pointer, { kind, text }: PathStep): Part {
    const shape = this.type(type)
    if (kind === 'member') {
      const index = shape.kind === 'struct' ? shape.members.findIndex(({ name }) => name === text) : -1
      if (index < 0) throw new StorageQueryError(`${path} has no member ${text}`)
      return this.#part(shape, pointer, index)
    }
    if (shape.kind !== 'array') throw new StorageQueryError(`${path} is not an array`)
    const count = this.#count(shape, pointer)
    if (!/^\d{1,9}$/.test(text) || Number(text) >= count)
      throw new StorageQueryError(`${path} has ${count} elements, so there is no [${text}]`)
    return this.#part(shape, pointer, Number(text))
  }

  #word(shape: VariableType, { word, isOnStack }: Extract<Pointer, { in: 'word' }>): string {
    if (shape.kind === 'value') return formatWord(word, shape.as, { count: shape.count, isOnStack })
    if (shape.kind === 'other') return `0x${word.toString(16)}`
    throw new NotAValueError('not known: its pointer was not imported')
  }

  #text(label: string, pointer: Exclude<Pointer, { in: 'word' }>) {
    const { start, count } = this.#dynamic(pointer)
    const bytes = this.#bytes(pointer)
    if (count > 0 && start + count > bytes.length) throw beyond(pointer)
    const shown = Buffer.from(bytes.subarray(start, start + Math.min(count, textLimit)))
    return { value: label === 'string' ? shown.toString() : hexFromBytes(shown), length: BigInt(count) }
  }

  /** Where the parts of a dynamic value begin, and how many there are. */
  #dynamic(pointer: Exclude<Pointer, { in: 'word' }>): { start: number; count: number } {
    if (pointer.in === 'calldata' && pointer.length !== undefined) return { start: pointer.at, count: pointer.length }
    return { start: pointer.at + 32, count: addressOf(this.#load(pointer, pointer.at)) }
  }

  #count(shape: VariableType, pointer: Pointer): number {
    if (pointer.in === 'word') throw new NotAValueError('not known: its pointer was not imported')
    if (shape.kind === 'struct') return shape.members.length
    if (shape.kind !== 'array') throw new NotAValueError('not known: its type has no parts')
    if (shape.length !== undefined) return shape.length
    const { start, count } = this.#dynamic(pointer)
    const size = pointer.in === 'memory' || this.#isDynamic(shape.item) ? 32 : this.#headSize(shape.item)
    if (count > 0 && start + count * size > this.#bytes(pointer).length) throw beyond(pointer)
    return count
  }

  #part(shape: VariableType, pointer: Pointer, index: number): Part {
    if (pointer.in === 'word') throw new NotAValueError('not known: its pointer was not imported')
    const member = shape.kind === 'struct' ? shape.members[index] : undefined
    const type = member ? member.type : shape.kind === 'array' ? shape.item : -1
    const name = member ? member.name : formatIndex('', String(index))
    const isCounted = shape.kind === 'array' && shape.length === undefined
    const base = isCounted ? this.#dynamic(pointer).start : pointer.at
    if (pointer.in === 'memory') return { name, type, pointer: this.#inMemory(type, base + index * 32) }
    let at = base
    if (shape.kind === 'struct') for (const before of shape.members.slice(0, index)) at += this.#headSize(before.type)
    else at += index * this.#headSize(type)
    return { name, type, pointer: this.#inCalldata(type, base, at) }
  }

  #inMemory(type: number, at: number): Pointer {
    const shape = this.type(type)
    const word = this.#load({ in: 'memory', at }, at)
    if (shape.kind === 'value' || shape.kind === 'other') return { in: 'word', word, isOnStack: false }
    return { in: 'memory', at: addressOf(word) }
  }

  #inCalldata(type: number, base: number, at: number): Pointer {
    const shape = this.type(type)
    const pointer = { in: 'calldata', at } as const
    if (shape.kind === 'value' || shape.kind === 'other')
      return { in: 'word', word: this.#load(pointer, at), isOnStack: false }
    return this.#isDynamic(type) ? { in: 'calldata', at: base + addressOf(this.#load(pointer, at)) } : pointer
  }

  #isDynamic(type: number, depth = 0): boolean {
    const known = this.#dynamicTypes.get(type)
    if (known !== undefined) return known
    const shape = this.type(type)
    if (depth > depthLimit) throw new NotAValueError('not known: its type is too deep')
    const isDynamic =
      shape.kind === 'text' ||
      (shape.kind === 'array' && (shape.length === undefined || this.#isDynamic(shape.item, depth + 1))) ||
      (shape.kind === 'struct' && shape.members.some((member) => this.#isDynamic(member.type, depth + 1)))
    this.#dynamicTypes.set(type, isDynamic)
    return isDynamic
  }

  /** The bytes that a value takes where its parts are listed. */
  #headSize(type: number): number {
    const known = this.#headSizes.get(type)
    if (known !== undefined) return known
    const shape = this.type(type)
    let size = 32
    if (this.#isDynamic(type)) size = 32
    else if (shape.kind === 'array') size = (shape.length ?? 0) * this.#headSize(shape.item)
    else if (shape.kind === 'struct') size = shape.members.reduce((sum, member) => sum + this.#headSize(member.type), 0)
    this.#headSizes.set(type, size)
    return size
  }

  #bytes(pointer: Pointer): Uint8Array {
    return pointer.in === 'calldata' ? this.#machine.calldata : this.#machine.memory
  }

  #load(pointer: Exclude<Pointer, { in: 'word' }>, at: number): bigint {
    const bytes = this.#bytes(pointer)
    // Memory that was not used yet is zero, as what an empty text points to.
    if (at >= bytes.length && pointer.in === 'memory' && at <= emptyAt) return 0n
    if (at + 32 > bytes.length) throw beyond(pointer)
    return BigInt(hexFromBytes(bytes.subarray(at, at + 32)))
  }
}

/** Where the compiler lets all empty dynamic values of memory point to. */
const emptyAt = 0x60

function addressOf(word: bigint): number {
  if (word >= addressLimit) throw new NotAValueError('not known: its pointer or length is too large')
  return Number(word)
}

const beyond = (pointer: Pointer) => new NotAValueError(`not known: it is not within ${pointer.in}`)
