import { readFileSync } from 'node:fs'
import { bytesFromBigint } from '../bytes.ts'
import { isZero } from './input.ts'

/** As much of the global as is used here: its types are in the library of browsers only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: unknown }
  Memory: new (limits: { initial: number }) => { readonly buffer: ArrayBuffer }
}

/** Bytes of numbers in mcl's memory, on every curve. */
const fieldSize = 48
export const scalarSize = 32
/** Bytes of a product of pairings. */
export const productSize = 12 * fieldSize

/** Points, scalars and products that one call of mcl takes at most. */
const most = 8

/** What mcl has for both groups, each function under `mclBnG1_` and `mclBnG2_`. Points are named by their addresses in memory. */
type GroupFunctions = {
  isValid(point: number): number
  isValidOrder(point: number): number
  isZero(point: number): number
  normalize(to: number, point: number): void
  add(to: number, a: number, b: number): void
  mul(to: number, point: number, scalar: number): void
  mulVec(to: number, points: number, scalars: number, count: number): void
}

type Prefixed<Prefix extends string, Functions> = {
  [Name in keyof Functions as `${Prefix}${Name & string}`]: Functions[Name]
}

type Exports = Prefixed<'mclBnG1_', GroupFunctions> &
  Prefixed<'mclBnG2_', GroupFunctions> & {
    __wasm_call_ctors(): void
    malloc(length: number): number
    mclBn_init(curve: number, compiledFor: number): number
    mclBn_setMapToMode(mode: number): void
    mclBn_verifyOrderG1(verify: number): void
    mclBn_verifyOrderG2(verify: number): void
    mclBnFp_setInt32(to: number, value: number): void
    mclBnFp_setBigEndianMod(to: number, bytes: number, length: number): number
    mclBnFp_serialize(to: number, room: number, field: number): number
    mclBnFr_setBigEndianMod(to: number, bytes: number, length: number): number
    mclBnFp_mapToG1(to: number, field: number): number
    mclBnFp2_mapToG2(to: number, field: number): number
    mclBnGT_setInt32(to: number, value: number): void
    mclBnGT_mul(to: number, a: number, b: number): void
    mclBnGT_isOne(product: number): number
    mclBn_millerLoopVec(to: number, g1: number, g2: number, count: number): void
    mclBn_finalExp(to: number, product: number): void
  }

/** mcl checks that it was compiled for the sizes that its caller knows: 10 times the scalars' and once the field's, in 8 bytes. */
const compiledFor = 46
/** What mcl calls its curves. */
const curveNumbers = { BN_SNARK1: 4, BLS12_381: 5 } as const
/** Maps to curves as RFC 9380 says. */
const standardMapping = 5

let module: object | undefined

function requireModule(): object {
  module ??= new WebAssembly.Module(readFileSync(new URL('../../generated/mcl.wasm', import.meta.url)))
  return module
}

/** How the precompiles of a curve write its points. */
export type Encoding = {
  modulus: bigint
  /** Bytes of a coordinate. */
  fieldLength: number
  /** The addresses of a G2 point's coordinates: x, y, each with its real part and then its imaginary one. */
  g2Order: readonly number[]
  /** Whether a point of G1's curve may be outside of the group. */
  g1HasCofactor: boolean
}

/**
 * A curve with pairings, computed by an instance of mcl (herumi/mcl). Addresses are addresses in its memory. What is there holds until the
 * next call from elsewhere: take out with `copy` what is needed after a pause.
 */
export class Curve {
  readonly mcl: Exports
  readonly g1: Group
  readonly g2: Group
  /** Addresses of up to `most` scalars. */
  readonly scalars: number
  /** Addresses of two products of pairings. */
  readonly products: readonly [number, number]
  readonly #memory = new WebAssembly.Memory({ initial: 32 })
  #view = new Uint8Array(0)
  readonly #input: number
  readonly #field: number
  readonly #one: number
  readonly #modulus: Uint8Array
  readonly #fieldLength: number

  constructor(name: keyof typeof curveNumbers, { modulus, fieldLength, g2Order, g1HasCofactor }: Encoding) {
    const { exports } = new WebAssembly.Instance(requireModule(), { env: { memory: this.#memory } })
    this.mcl = exports as Exports
    const { mcl } = this
    mcl.__wasm_call_ctors()
    if (mcl.mclBn_init(curveNumbers[name], compiledFor) !== 0) throw new Error('mcl did not start')
    mcl.mclBn_setMapToMode(standardMapping)
    // `isValid` then says only whether a point is on the curve.
    mcl.mclBn_verifyOrderG1(0)
    mcl.mclBn_verifyOrderG2(0)
    this.#modulus = bytesFromBigint(modulus, fieldLength)
    this.#fieldLength = fieldLength
    this.#input = mcl.malloc(fieldSize)
    this.#field = mcl.malloc(2 * fieldSize)
    this.#one = mcl.malloc(fieldSize)
    mcl.mclBnFp_setInt32(this.#one, 1)
    this.scalars = mcl.malloc(most * scalarSize)
    this.products = [mcl.malloc(productSize), mcl.malloc(productSize)]
    const g1 = functionsOf(mcl, 'mclBnG1_')
    const g2 = functionsOf(mcl, 'mclBnG2_')
    this.g1 = new Group(this, g1, [0, 1], fieldLength, g1HasCofactor)
    this.g2 = new Group(this, g2, g2Order, fieldLength, true)
  }

  /** Memory moves when it grows, and what showed it is then empty: ask again after every call. */
  get #bytes(): Uint8Array<ArrayBuffer> {
    if (this.#view.length === 0) this.#view = new Uint8Array(this.#memory.buffer)
    return this.#view
  }

  copy(from: number, length: number): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(from, from + length)
  }

  put(to: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, to)
  }

  clear(to: number, length: number): void {
    this.#bytes.fill(0, to, to + length)
  }

  putOne(to: number): void {
    this.#bytes.copyWithin(to, this.#one, this.#one + fieldSize)
  }

  /** Reads a number of the field. Answers false for one that is outside of it. */
  readField(to: number, bytes: Uint8Array): boolean {
    if (Buffer.compare(bytes, this.#modulus) >= 0) return false
    // What is before the last 48 bytes is zero.
    const end = bytes.subarray(-fieldSize)
    this.put(this.#input, end)
    this.mcl.mclBnFp_setBigEndianMod(to, this.#input, end.length)
    return true
  }

  /** Writes a number of the field into the end of `bytes`. */
  writeField(bytes: Uint8Array, field: number): void {
    // The lowest byte comes first.
    const length = this.mcl.mclBnFp_serialize(this.#input, fieldSize, field)
    bytes.set(this.copy(this.#input, length).reverse(), bytes.length - length)
  }

  /** Reads a scalar of 32 bytes; what is above the group's order wraps around. */
  readScalar(to: number, bytes: Uint8Array): void {
    this.put(this.#input, bytes)
    this.mcl.mclBnFr_setBigEndianMod(to, this.#input, scalarSize)
  }

  /** The point that a number of the field stands for; `undefined` when it is outside of the field. */
  mapToG1(bytes: Uint8Array): Uint8Array | undefined {
    if (!this.readField(this.#field, bytes)) return undefined
    this.mcl.mclBnFp_mapToG1(this.g1.result, this.#field)
    return this.g1.write(this.g1.result)
  }

  /** As `mapToG1`, of the field's extension. */
  mapToG2(bytes: Uint8Array): Uint8Array | undefined {
    const imaginary = bytes.subarray(this.#fieldLength)
    if (!this.readField(this.#field, bytes.subarray(0, this.#fieldLength))) return undefined
    if (!this.readField(this.#field + fieldSize, imaginary)) return undefined
    this.mcl.mclBnFp2_mapToG2(this.g2.result, this.#field)
    return this.g2.write(this.g2.result)
  }
}

function functionsOf(mcl: Exports, prefix: 'mclBnG1_' | 'mclBnG2_'): GroupFunctions {
  return {
    isValid: mcl[`${prefix}isValid`],
    isValidOrder: mcl[`${prefix}isValidOrder`],
    isZero: mcl[`${prefix}isZero`],
    normalize: mcl[`${prefix}normalize`],
    add: mcl[`${prefix}add`],
    mul: mcl[`${prefix}mul`],
    mulVec: mcl[`${prefix}mulVec`],
  }
}

/** One of a curve's two groups of points. */
export class Group {
  readonly functions: GroupFunctions
  /** Bytes of a point in a precompile's input. */
  readonly length: number
  /** Bytes of a point in memory. */
  readonly size: number
  /** Addresses of up to `most` points. */
  readonly points: number
  /** The address of what was computed. */
  readonly result: number
  readonly #curve: Curve
  readonly #order: readonly number[]
  readonly #fieldLength: number
  readonly #hasCofactor: boolean

  constructor(
    curve: Curve,
    functions: GroupFunctions,
    order: readonly number[],
    fieldLength: number,
    hasCofactor: boolean,
  ) {
    this.functions = functions
    this.length = order.length * fieldLength
    // x and y as they are written, and z.
    this.size = order.length * 1.5 * fieldSize
    this.points = curve.mcl.malloc(most * this.size)
    this.result = curve.mcl.malloc(this.size)
    this.#curve = curve
    this.#order = order
    this.#fieldLength = fieldLength
    this.#hasCofactor = hasCofactor
  }

  /** Where the bytes of a point have a coordinate. */
  #coordinate(bytes: Uint8Array, index: number): Uint8Array {
    const start = (this.#order[index] as number) * this.#fieldLength
    return bytes.subarray(start, start + this.#fieldLength)
  }

  /** Reads a point; zeros are infinity. Answers false when it is not on the curve, or not in the group although it must be. */
  read(to: number, bytes: Uint8Array, mustBeInGroup: boolean): boolean {
    const curve = this.#curve
    curve.clear(to, this.size)
    if (isZero(bytes)) return true
    for (let index = 0; index < this.#order.length; index++) {
      const field = this.#coordinate(bytes, index)
      if (!curve.readField(to + index * fieldSize, field)) return false
    }
    curve.putOne(to + this.#order.length * fieldSize)
    if (this.functions.isValid(to) === 0) return false
    return !mustBeInGroup || !this.#hasCofactor || this.functions.isValidOrder(to) !== 0
  }

  /** A point as precompiles answer it. */
  write(point: number): Uint8Array {
    const bytes = new Uint8Array(this.length)
    if (this.functions.isZero(point) !== 0) return bytes
    this.functions.normalize(point, point)
    for (let index = 0; index < this.#order.length; index++) {
      this.#curve.writeField(this.#coordinate(bytes, index), point + index * fieldSize)
    }
    return bytes
  }

  /** The sum of two points of the curve; `undefined` when one is not on it. */
  add(input: Uint8Array): Uint8Array | undefined {
    const second = this.points + this.size
    if (!this.read(this.points, input.subarray(0, this.length), false)) return undefined
    if (!this.read(second, input.subarray(this.length), false)) return undefined
    this.functions.add(this.result, this.points, second)
    return this.write(this.result)
  }

  /** A point times a scalar; `undefined` when the point is not in the group. */
  multiply(input: Uint8Array): Uint8Array | undefined {
    const { scalars } = this.#curve
    if (!this.read(this.points, input.subarray(0, this.length), true)) return undefined
    this.#curve.readScalar(scalars, input.subarray(this.length))
    this.functions.mul(this.result, this.points, scalars)
    return this.write(this.result)
  }

  /** The sum of points, each times its scalar; `undefined` when one is not in the group. */
  *sumOfProducts(input: Uint8Array): Generator<undefined, Uint8Array | undefined> {
    const curve = this.#curve
    const entryLength = this.length + scalarSize
    let sum = new Uint8Array(this.size)
    for (let at = 0; at < input.length; ) {
      let count = 0
      for (; count < most && at < input.length; count++, at += entryLength) {
        const scalarAt = at + this.length
        if (!this.read(this.points + count * this.size, input.subarray(at, scalarAt), true)) return undefined
        curve.readScalar(curve.scalars + count * scalarSize, input.subarray(scalarAt, at + entryLength))
      }
      this.functions.mulVec(this.result, this.points, curve.scalars, count)
      curve.put(this.points, sum)
      this.functions.add(this.result, this.points, this.result)
      sum = curve.copy(this.result, this.size)
      yield
    }
    curve.put(this.result, sum)
    return this.write(this.result)
  }
}
