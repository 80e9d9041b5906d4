import { bigintFromBytes, hexFromBytes } from '../bytes.ts'

const errorSelector = '0x08c379a0'
const panicSelector = '0x4e487b71'

/** Solidity's panics, in go-ethereum's words. */
const panics: Record<string, string> = {
  '0': 'generic panic',
  '1': 'assert(false)',
  '17': 'arithmetic underflow or overflow',
  '18': 'division or modulo by zero',
  '33': 'enum overflow',
  '34': 'invalid encoded storage byte array accessed',
  '49': 'out-of-bounds array access; popping on an empty array',
  '50': 'out-of-bounds access of an array or bytesN',
  '65': 'out of memory',
  '81': 'uninitialized function',
}

/** The reason in the output of a reverted call: the text of `Error(string)`, the meaning of `Panic(uint256)`; otherwise `undefined`. */
export function revertReason(output: Uint8Array): string | undefined {
  const selector = hexFromBytes(output.subarray(0, 4))
  const word = (at: number) => (output.length < at + 32 ? undefined : bigintFromBytes(output.subarray(at, at + 32)))
  if (selector === panicSelector) {
    const code = word(4)
    return code === undefined ? undefined : (panics[code.toString()] ?? `unknown panic code: 0x${code.toString(16)}`)
  }
  if (selector !== errorSelector) return undefined
  const start = 4 + Number(word(4) ?? -1n)
  if (!Number.isSafeInteger(start) || start < 4) return undefined
  const length = Number(word(start) ?? -1n)
  const text = output.subarray(start + 32, start + 32 + length)
  return length >= 0 && text.length === length ? new TextDecoder().decode(text) : undefined
}
