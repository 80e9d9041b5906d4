import { bigintFromBytes, bytesFromBigint } from '../bytes.ts'
import type { Rules } from '../forks.ts'
import { slice } from './input.ts'
import type { Precompile } from './table.ts'

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

function modexpGas(input: Uint8Array, rules: Rules): bigint {
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

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus
  const square = base % modulus
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus
    if (bit === '1') result = (result * square) % modulus
  }
  return result
}

/** MODEXP (0x05; EIP-198, EIP-2565, EIP-7823, EIP-7883). */
export const modexp: Precompile = {
  gas: modexpGas,
  run(input, rules) {
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
    const exponent = bigintFromBytes(slice(input, afterBase, Number(lengths.exponent)))
    return bytesFromBigint(power(base, exponent, modulus), modulusLength)
  },
}
