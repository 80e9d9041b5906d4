import type { Precompile } from './table.ts'

const inputLength = 213

function rounds(input: Uint8Array): number {
  return new DataView(input.buffer, input.byteOffset).getUint32(0)
}

/** BLAKE2F (0x09; EIP-152). The compression function is in the engine: no library offers it. */
export const blake2f: Precompile = {
  gas: (input) => (input.length === inputLength ? BigInt(rounds(input)) : 0n),
  run(input, _rules, { compress }) {
    if (input.length !== inputLength || (input[212] as number) > 1) return undefined
    return compress(rounds(input), input.subarray(4))
  },
}
