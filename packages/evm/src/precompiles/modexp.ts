import { bigintFromBytes, bytesFromBigint } from '../bytes.ts'
import type { ForkRules } from '../forks.ts'
import { slice } from './input.ts'
import type { Precompile } from './precompile.ts'

const headerLength = 96
/** EIP-7823: the most bytes of each number. */
const maxLength = 1024n

type Lengths = { base: bigint; exponent: bigint; modulus: bigint }

function lengthsOf(input: Uint8Array): Lengths {
  return {
    base: bigintFromBytes(slice(input, 0, 32)),
    exponent: bigintFromBytes(slice(input, 32, 32)),
    modulus: bigintFromBytes(slice(input, 64, 32)),
  }
}

/** The exponent's length in bits as far as it counts: its highest 32 bytes exactly, the rest by their number. */
function iterations(input: Uint8Array, { base, exponent }: Lengths, perByte: bigint): bigint {
  const headLength = exponent < 32n ? Number(exponent) : 32
  const start = base > BigInt(input.length) ? input.length : headerLength + Number(base)
  const head = bigintFromBytes(slice(input, start, headLength))
  const bits = head === 0n ? 0n : BigInt(head.toString(2).length - 1)
  const rest = exponent > 32n ? (exponent - 32n) * perByte : 0n
  return bits + rest > 0n ? bits + rest : 1n
}

function modexpGas(input: Uint8Array, rules: ForkRules): bigint {
  const lengths = lengthsOf(input)
  const longest = lengths.base > lengths.modulus ? lengths.base : lengths.modulus
  const words = (longest + 7n) / 8n
  if (rules.limitedModexp) {
    const complexity = longest > 32n ? 2n * words * words : 16n
    const gas = complexity * iterations(input, lengths, 16n)
    return gas > 500n ? gas : 500n
  }
  const gas = (words * words * iterations(input, lengths, 8n)) / 3n
  return gas > 200n ? gas : 200n
}

/** Bits of the numbers that are multiplied in a few milliseconds, each product with its remainder. */
const bitsTogether = 500_000

/** The bits of a number, highest first; those before the first one are left out. */
function* bitsOf(number: Uint8Array): Generator<boolean> {
  let isLeading = true
  for (const byte of number) {
    for (let mask = 0x80; mask !== 0; mask >>= 1) {
      const bit = (byte & mask) !== 0
      if (isLeading && !bit) continue
      isLeading = false
      yield bit
    }
  }
}

function* power(
  base: bigint,
  exponent: Uint8Array,
  modulus: bigint,
  modulusLength: number,
): Generator<undefined, bigint> {
  let result = 1n % modulus
  const factor = base % modulus
  let work = 0
  for (const bit of bitsOf(exponent)) {
    result = (result * result) % modulus
    if (bit) result = (result * factor) % modulus
    work += 256 + modulusLength * 8
    if (work < bitsTogether) continue
    work = 0
    yield
  }
  return result
}

/** MODEXP (0x05; EIP-198, EIP-2565, EIP-7823, EIP-7883). */
export const modexp: Precompile = {
  gas: modexpGas,
  *parts(input, rules) {
    const lengths = lengthsOf(input)
    if (rules.limitedModexp) {
      if (lengths.base > maxLength || lengths.exponent > maxLength || lengths.modulus > maxLength) return undefined
    }
    if (lengths.modulus === 0n) return new Uint8Array(0)
    const [baseLength, modulusLength] = [Number(lengths.base), Number(lengths.modulus)]
    const afterBase = headerLength + baseLength
    const modulusAt = BigInt(afterBase) + lengths.exponent
    // An exponent that is longer than the input ends in zeros; then the modulus is zero too.
    if (modulusAt >= BigInt(input.length)) return new Uint8Array(modulusLength)
    const modulus = bigintFromBytes(slice(input, Number(modulusAt), modulusLength))
    if (modulus === 0n) return new Uint8Array(modulusLength)
    const base = bigintFromBytes(slice(input, headerLength, baseLength))
    const exponent = slice(input, afterBase, Number(lengths.exponent))
    return bytesFromBigint(yield* power(base, exponent, modulus, modulusLength), modulusLength)
  },
}
