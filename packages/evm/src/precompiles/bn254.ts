import { Curve } from './curve.ts'
import { slice } from './input.ts'
import { checkPairing } from './pairing.ts'
import type { Precompile } from './precompile.ts'

let loaded: Curve | undefined

/** alt_bn128, where the imaginary part of a number comes first. It is loaded when it is first needed. */
function curve(): Curve {
  loaded ??= new Curve('BN_SNARK1', {
    modulus: 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n,
    fieldLength: 32,
    g2Order: [1, 0, 3, 2],
    g1HasCofactor: false,
  })
  return loaded
}

/** ECADD (0x06; EIP-196, EIP-1108). */
export const bn254Add: Precompile = {
  gas: () => 150n,
  run: (input) => curve().g1.add(slice(input, 0, 128)),
}

/** ECMUL (0x07). */
export const bn254Multiply: Precompile = {
  gas: () => 6000n,
  run: (input) => curve().g1.multiply(slice(input, 0, 96)),
}

const pairLength = 192

/** ECPAIRING (0x08; EIP-197). */
export const bn254Pairing: Precompile = {
  gas: (input) => 45000n + 34000n * BigInt(Math.floor(input.length / pairLength)),
  *parts(input) {
    return input.length % pairLength === 0 ? yield* checkPairing(curve(), input) : undefined
  },
}
