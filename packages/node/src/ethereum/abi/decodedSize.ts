import type { Hex } from '@understudy/evm'
import type { AbiParameter } from 'viem'

type Compound = AbiParameter & { components?: readonly Compound[] }

const wordSize = 32
/** Bytes beyond twice the data, for data that is short. */
const slack = 65_536

/**
 * Whether ABI-encoded data becomes much longer when it is decoded: in data that is made for it, many elements share the same
 * bytes, so that a hundred kilobytes become gigabytes. Reads lengths and offsets only.
 */
export function isInflated(parameters: readonly Compound[], data: Hex): boolean {
  const counter = new SizeCounter(data)
  counter.addMembers(parameters, 0)
  return counter.isInflated
}

class SizeCounter {
  readonly #data: Hex
  readonly #length: number
  #size = 0

  constructor(data: Hex) {
    this.#data = data
    this.#length = (data.length - 2) / 2
  }

  get isInflated(): boolean {
    return this.#size > 2 * this.#length + slack
  }

  /** Values that follow each other, whose offsets count from `base`. */
  addMembers(types: readonly Compound[], base: number): void {
    let head = base
    for (const type of types) {
      const size = staticSize(type)
      this.#add(size ?? wordSize)
      if (size === undefined) this.#addAt(type, base + this.#numberAt(head))
      if (this.isInflated) return
      head += size ?? wordSize
    }
  }

  /** A value of dynamic size. Where the data ends before it, decoding fails anyway. */
  #addAt(type: Compound, at: number): void {
    if (at >= this.#length) return
    const [, inner, count] = /^(.*)\[(\d*)\]$/.exec(type.type) ?? []
    if (inner === undefined) {
      if (type.components) this.addMembers(type.components, at)
      else this.#add(this.#numberAt(at))
      return
    }
    const element = { ...type, type: inner }
    const [length, base] = count === '' ? [this.#numberAt(at), at + wordSize] : [Number(count), at]
    const size = staticSize(element)
    // Elements without a size take time, too.
    if (size !== undefined) this.#add(length * Math.max(size, wordSize))
    else
      for (let index = 0; index < length && !this.isInflated; index++) {
        this.#add(wordSize)
        this.#addAt(element, base + this.#numberAt(base + index * wordSize))
      }
  }

  #add(bytes: number): void {
    this.#size += bytes
  }

  #numberAt(at: number): number {
    return Number.parseInt(this.#data.slice(2 + 2 * at, 2 + 2 * (at + wordSize)) || '0', 16)
  }
}

/** The bytes of a value; `undefined` if they depend on it. */
function staticSize({ type, components }: Compound): number | undefined {
  const [, inner, count] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (inner !== undefined) {
    const size = count === '' ? undefined : staticSize(components ? { type: inner, components } : { type: inner })
    return size === undefined ? undefined : size * Number(count)
  }
  if (!components) return type === 'bytes' || type === 'string' ? undefined : wordSize
  let sum = 0
  for (const component of components) {
    const size = staticSize(component)
    if (size === undefined) return undefined
    sum += size
  }
  return sum
}
