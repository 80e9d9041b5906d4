import { type Hex, hexToBigInt, numberToHex } from 'viem'
import { formatInteger } from '../../format/amount.ts'
import { checksummed } from '../../format/hash.ts'

/** A variable in its slot; `offset` counts bytes from the low end. */
export type SlotVariable = { path: string; type: string; offset: number; bytes: number }

/** The value of a variable in the word of its slot, for reading. */
export function readVariable(word: Hex, { type, offset, bytes }: SlotVariable): string {
  const raw = BigInt.asUintN(bytes * 8, hexToBigInt(word) >> BigInt(offset * 8))
  if (type === 'bool') return raw === 0n ? 'false' : 'true'
  if (/^int\d*$/.test(type)) return formatInteger(BigInt.asIntN(bytes * 8, raw))
  if (/^uint\d*$|^enum /.test(type)) return formatInteger(raw)
  const hex = numberToHex(raw, { size: bytes })
  return bytes === 20 ? checksummed(hex) : hex
}
