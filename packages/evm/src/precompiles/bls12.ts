import { g1Discounts, g2Discounts } from './bls12Discounts.ts'
import { Curve, scalarSize } from './curve.ts'
import { checkPairing } from './pairing.ts'
import type { Parts, Precompile } from './precompile.ts'

/** A number of the field is 64 bytes: 16 zeros and the number. */
const fieldLength = 64
const g1Length = 2 * fieldLength
const g2Length = 4 * fieldLength

let loaded: Curve | undefined

/** BLS12-381. It is loaded when it is first needed. */
function curve(): Curve {
  loaded ??= new Curve('BLS12_381', {
    modulus: 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
    fieldLength,
    g2Order: [0, 1, 2, 3],
    g1HasCofactor: true,
  })
  return loaded
}

/** A precompile with a fixed input length. */
function fixed(gas: bigint, length: number, compute: (input: Uint8Array) => Uint8Array | undefined): Precompile {
  return { gas: () => gas, run: (input) => (input.length === length ? compute(input) : undefined) }
}

/** Computed in parts, from the input alone. */
type InParts = { gas(input: Uint8Array): bigint; parts(input: Uint8Array): Parts }

/** A sum of products. */
function msm(
  pairLength: number,
  perPair: bigint,
  discounts: readonly number[],
  compute: (input: Uint8Array) => Parts,
): InParts {
  return {
    gas(input) {
      const count = Math.floor(input.length / pairLength)
      if (count === 0) return 0n
      const discount = discounts[Math.min(count, discounts.length) - 1] as number
      return (BigInt(count) * perPair * BigInt(discount)) / 1000n
    },
    *parts(input) {
      return input.length > 0 && input.length % pairLength === 0 ? yield* compute(input) : undefined
    },
  }
}

const pairingLength = g1Length + g2Length

/** The precompiles of EIP-2537. Points that are only added need not be in their group. */
export const bls12 = {
  g1Add: fixed(375n, 2 * g1Length, (input) => curve().g1.add(input)),
  g2Add: fixed(600n, 2 * g2Length, (input) => curve().g2.add(input)),
  g1Msm: msm(g1Length + scalarSize, 12000n, g1Discounts, (input) => curve().g1.sumOfProducts(input)),
  g2Msm: msm(g2Length + scalarSize, 22500n, g2Discounts, (input) => curve().g2.sumOfProducts(input)),
  pairing: {
    gas: (input) => 37700n + 32600n * BigInt(Math.floor(input.length / pairingLength)),
    *parts(input) {
      return input.length > 0 && input.length % pairingLength === 0 ? yield* checkPairing(curve(), input) : undefined
    },
  } satisfies InParts,
  mapToG1: fixed(5500n, fieldLength, (input) => curve().mapToG1(input)),
  mapToG2: fixed(23800n, 2 * fieldLength, (input) => curve().mapToG2(input)),
}
