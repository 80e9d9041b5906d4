import { bls12_381 } from '@noble/curves/bls12-381.js'
import { createRandom, type Random } from '@understudy/testkit'
import { describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../src/bytes.ts'
import { altBn128, bls12, groupOf, pairing, type Reference, type ReferenceGroup, sum, sumOfProducts } from './noble.ts'
import { run } from './run.ts'

// The precompiles of both curves beside another library, with right points and with all kinds of wrong ones.
// CURVE_CASES=300 CURVE_SEED=2 for more of them.

const cases = Number(process.env.CURVE_CASES ?? 8)
const seed = Number(process.env.CURVE_SEED ?? 1)

const timeoutMs = 20_000 + cases * 2_000

class Inputs {
  readonly #random: Random
  readonly #curve: Reference['curve']
  readonly #fieldLength: number

  constructor({ curve, fieldLength }: Reference, number: number) {
    this.#random = createRandom(seed * 1000 + number)
    this.#curve = curve
    this.#fieldLength = fieldLength
  }

  #number(length: number): bigint {
    return BigInt(`0x${Buffer.from(this.#random.bytes(length)).toString('hex')}`)
  }

  /** Of any 32 bytes, as precompiles take it. */
  scalar(): Uint8Array {
    const order = this.#curve.fields.Fr.ORDER
    const edges = [0n, 1n, 2n, order - 1n, order, order + 1n, (1n << 128n) - 1n, (1n << 256n) - 1n]
    return bytesFromBigint(this.#random.chance(0.4) ? this.#random.pick(edges) : this.#number(32), 32)
  }

  count(most: number): number {
    return this.#random.integer(1, most)
  }

  /** A point of the group, seldom infinity. */
  valid(group: ReferenceGroup): Buffer {
    if (this.#random.chance(0.1)) return Buffer.alloc(group.length)
    return group.write(group.point.BASE.multiplyUnsafe(this.#number(24) + 1n))
  }

  /** A point of the curve; where the curve has a cofactor, one that is not in the group. */
  onCurve(group: ReferenceGroup): Buffer {
    const { Fp } = this.#curve.fields
    for (;;) {
      const part = () => (this.#random.chance(0.3) ? this.#number(1) % 4n : Fp.create(this.#number(64)))
      const x = Array.from({ length: group.length / this.#fieldLength / 2 }, part)
      try {
        return group.bytes(x, group.root(group.square(x)))
      } catch {
        // Not a square: another.
      }
    }
  }

  /** Bytes that are hardly a point: beside one, outside of the field, or anything. */
  wrong(group: ReferenceGroup): Buffer {
    const bytes = this.valid(group)
    const { ORDER } = this.#curve.fields.Fp
    const length = this.#fieldLength
    const at = this.#random.integer(0, bytes.length / length - 1) * length
    const field = bytes.subarray(at, at + length)
    const value = BigInt(`0x${field.toString('hex')}`)
    const [low, high] = [value + ORDER, (1n << BigInt(8 * length)) - 1n]
    field.set(
      this.#random.pick([
        bytesFromBigint((value + 1n) % ORDER, length),
        bytesFromBigint(ORDER, length),
        bytesFromBigint(ORDER - 1n, length),
        bytesFromBigint(low > high ? high : low, length),
        bytesFromBigint(high, length),
        this.#random.bytes(length),
      ]),
    )
    return bytes
  }

  any(group: ReferenceGroup): Buffer {
    return this.#random.pick([this.valid, this.valid, this.onCurve, this.wrong]).call(this, group)
  }

  /** Mostly valid, so that long inputs are not all refused. */
  mostlyValid(group: ReferenceGroup): Buffer {
    return this.#random.chance(0.97) ? this.valid(group) : this.any(group)
  }

  /** Twice the same, or one and its opposite, or others. */
  two(group: ReferenceGroup): Buffer {
    const [a, b] = [this.any(group), this.any(group)]
    if (this.#random.chance(0.6)) return Buffer.concat([a, b])
    try {
      const point = group.from(a, false)
      return Buffer.concat([a, group.write(this.#random.chance(0.5) ? point : point.negate())])
    } catch {
      return Buffer.concat([a, a])
    }
  }

  /** Pairs whose product is one: a·b, and then -ab. */
  balanced(g1: ReferenceGroup, g2: ReferenceGroup): Buffer {
    const { Fr } = this.#curve.fields
    const [a, b] = [this.#number(16), this.#number(16)]
    const pair = (x: bigint, y: bigint) => [
      g1.write(g1.point.BASE.multiplyUnsafe(Fr.create(x))),
      g2.write(g2.point.BASE.multiplyUnsafe(Fr.create(y))),
    ]
    return Buffer.concat([...pair(a, b), ...pair(-a * b, 1n)])
  }
}

/** What the other library answers; `undefined` when it refuses. */
function expected(compute: () => Buffer): Uint8Array | undefined {
  try {
    return new Uint8Array(compute())
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Compares as many inputs, and answers how many were refused. */
function compare(number: number, make: () => Buffer, compute: (input: Buffer) => Buffer, times = cases): number {
  let refused = 0
  for (let index = 0; index < times; index++) {
    const input = make()
    const answer = expected(() => compute(input))
    if (answer === undefined) refused++
    expect(run(number, input), `precompile ${number} of ${input.toString('hex')}`).toEqual(answer)
  }
  return refused
}

describe.each([
  { name: 'BLS12-381', reference: bls12 },
  { name: 'alt_bn128', reference: altBn128 },
])('$name, beside noble', ({ reference }) => {
  const { numbers } = reference
  const groups = [
    { name: 'G1', add: numbers.g1Add, product: numbers.g1Product },
    { name: 'G2', add: numbers.g2Add, product: numbers.g2Product },
  ] as const

  for (const { name, add, product } of groups) {
    const group = groupOf(reference, name)
    if (add === undefined || product === undefined) continue

    it(`adds points of ${name}`, { timeout: timeoutMs }, () => {
      const inputs = new Inputs(reference, add)
      const times = cases * 4
      const refused = compare(
        add,
        () => inputs.two(group),
        (input) => sum(group, input),
        times,
      )
      expect(refused).toBeGreaterThan(0)
      expect(refused).toBeLessThan(times)
    })

    it(`multiplies points of ${name}`, { timeout: timeoutMs }, () => {
      const inputs = new Inputs(reference, product)
      const products = (count: number, point: () => Buffer) =>
        Buffer.concat(Array.from({ length: count }, () => [point(), inputs.scalar()]).flat())
      const compute = (input: Buffer) => sumOfProducts(group, reference, input)
      const refused = compare(product, () => products(1, () => inputs.any(group)), compute)
      expect(refused).toBeGreaterThan(0)
      expect(refused).toBeLessThan(cases)
      const isSum = reference === bls12
      const several = () => products(isSum ? inputs.count(20) : 1, () => inputs.mostlyValid(group))
      compare(product, several, compute, Math.ceil(cases / 4))
    })
  }

  it('checks pairings', { timeout: timeoutMs }, () => {
    const inputs = new Inputs(reference, numbers.pairing)
    const [g1, g2] = [groupOf(reference, 'G1'), groupOf(reference, 'G2')]
    const compute = (input: Buffer) => pairing(reference, input)
    const refused = compare(numbers.pairing, () => Buffer.concat([inputs.any(g1), inputs.any(g2)]), compute)
    expect(refused).toBeGreaterThan(0)
    const balanced = () => {
      const whole = Array.from({ length: inputs.count(4) }, () => inputs.balanced(g1, g2))
      const more = Buffer.concat([inputs.mostlyValid(g1), inputs.mostlyValid(g2)])
      return Buffer.concat([...whole, more].slice(0, inputs.count(5)))
    }
    compare(numbers.pairing, balanced, compute, Math.ceil(cases / 4))
    const pairs = inputs.balanced(g1, g2)
    expect(run(numbers.pairing, pairs)?.at(-1)).toBe(1)
    expect(run(numbers.pairing, pairs.subarray(0, pairs.length / 2))?.at(-1)).toBe(0)
  })
})

describe('maps to BLS12-381, beside noble', () => {
  const { Fp } = bls12_381.fields
  const field = (random: Random) => {
    const any = Fp.create(BigInt(`0x${Buffer.from(random.bytes(64)).toString('hex')}`))
    return bytesFromBigint(
      random.chance(0.3) ? random.pick([0n, 1n, 2n, Fp.ORDER - 1n, Fp.ORDER, Fp.ORDER + 1n]) : any,
      64,
    )
  }
  const elements = (input: Buffer) => {
    const numbers = [input.subarray(0, 64), input.subarray(64)].filter((part) => part.length > 0)
    const values = numbers.map((part) => BigInt(`0x${part.toString('hex')}`))
    if (values.some((value) => value >= Fp.ORDER)) throw new RangeError('outside of the field')
    return values
  }

  it.each([
    { name: 'G1', number: 0x10, count: 1 },
    { name: 'G2', number: 0x11, count: 2 },
  ] as const)('maps to $name', { timeout: timeoutMs }, ({ name, number, count }) => {
    const random = createRandom(seed * 1000 + number)
    const group = groupOf(bls12, name)
    // The library's types do not know the plain number that G1 takes.
    const map = bls12_381[name].mapToCurve as unknown as (element: bigint | bigint[]) => never
    const make = () => Buffer.concat(Array.from({ length: count }, () => field(random)))
    compare(number, make, (input) => {
      const values = elements(input)
      return group.write(map(count === 1 ? (values[0] as bigint) : values))
    })
  })
})
