import type { Done, Hex } from '@understudy/evm'
import { decodeAbiParameters } from 'viem'
import { NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'

/** Solidity's panics, in geth's words. */
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

/** The reason in return data: the string of `Error(string)`, the meaning of `Panic(uint256)`; otherwise `undefined`. */
export function revertReason(output: Hex): string | undefined {
  const selector = output.slice(0, 10)
  const rest: Hex = `0x${output.slice(10)}`
  try {
    if (selector === '0x08c379a0') return decodeAbiParameters([{ type: 'string' }], rest)[0]
    if (selector === '0x4e487b71') {
      const [code] = decodeAbiParameters([{ type: 'uint256' }], rest)
      return panics[code.toString()] ?? `unknown panic code: 0x${code.toString(16)}`
    }
  } catch {
    // The data only looks like an error of Solidity's.
  }
  return undefined
}

/** Throws when an execution did not succeed: `EXECUTION_REVERTED` with the return data, or `EXECUTION_FAILED`. */
export function requireSuccess(result: Done): Done {
  if (result.status === 'success') return result
  if (result.status === 'halt') throw new NetworkError('EXECUTION_FAILED', { text: result.halt ?? 'execution halted' })
  const data = hexFromBytes(result.output)
  const reason = revertReason(data)
  throw new NetworkError(
    'EXECUTION_REVERTED',
    { text: reason === undefined ? 'execution reverted' : `execution reverted: ${reason}` },
    { data },
  )
}
