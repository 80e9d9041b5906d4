import { bytesFromHex, hexFromBytes } from '../bytes.ts'
import type { BlockContext } from '../port.ts'
import { recoverAddressBytes } from '../signatures.ts'
import { slice } from './input.ts'
import type { Precompile } from './precompile.ts'

const none = new Uint8Array(0)

/** ECRECOVER (0x01): hash, v, r, s, a word each → the signer's address, or nothing. */
export const ecrecover: Precompile = {
  gas: () => 3000n,
  run(input) {
    const data = slice(input, 0, 128)
    const v = data[63] as number
    if ((v !== 27 && v !== 28) || !data.subarray(32, 63).every((byte) => byte === 0)) return none
    const address = recoverAddressBytes(data.subarray(0, 32), data.subarray(64, 128), v - 27 === 1 ? 1 : 0)
    if (address === undefined) return none
    return wordOf(address)
  },
}

/** The address that a block has for the signature of an input. */
export function chosenSigner(
  input: Uint8Array,
  signatures: NonNullable<BlockContext['signatures']>,
): Uint8Array | undefined {
  const data = slice(input, 0, 128)
  const address = signatures.get(
    `${hexFromBytes(data.subarray(64, 128))}${hexFromBytes(data.subarray(63, 64)).slice(2)}`,
  )
  return address && wordOf(bytesFromHex(address))
}

function wordOf(address: Uint8Array): Uint8Array {
  const word = new Uint8Array(32)
  word.set(address, 12)
  return word
}
