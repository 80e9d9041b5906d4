import type { Precompile } from './precompile.ts'

const inputLength = 213

function rounds(input: Uint8Array): number {
  return new DataView(input.buffer, input.byteOffset).getUint32(0)
}

/** Rounds that take a few milliseconds. */
const roundsTogether = 25_000

/** BLAKE2F (0x09; EIP-152). The compression function is in the engine: no library offers it. */
export const blake2f: Precompile = {
  gas: (input) => (input.length === inputLength ? BigInt(rounds(input)) : 0n),
  *parts(input, _rules, compressor) {
    if (input.length !== inputLength || (input[212] as number) > 1) return undefined
    const count = rounds(input)
    compressor.begin(input.subarray(4))
    let from = 0
    for (; count - from > roundsTogether; from += roundsTogether) {
      compressor.run(from, from + roundsTogether, count)
      yield
    }
    compressor.run(from, count, count)
    return compressor.output()
  },
}
