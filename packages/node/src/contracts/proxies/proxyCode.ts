import type { Address } from '@understudy/evm'
import { hexFromBytes } from '../../shared/hex.ts'

/** EIP-1167 and its variants: with a shorter vanity address, with PUSH0, or as Vyper and Solady write it. */
const clonePatterns = [
  /^363d3d373d3d3d363d(6[\da-f]|7[0-3])([\da-f]{2,40})5af43d82803e903d91602b57fd5bf3/,
  /^3d3d3d3d363d3d37363d(6[\da-f]|7[0-3])([\da-f]{2,40})5af43d3d93803e602a57fd5bf3/,
  /^365f5f375f5f365f(6[\da-f]|7[0-3])([\da-f]{2,40})5af43d5f5f3e5f3d91602a57fd5bf3/,
  /^5f5f365f5f37365f(6[\da-f]|7[0-3])([\da-f]{2,40})5af43d5f5f3e6029573d5ffd5b3d5ff3/,
  /^366000600037611000600036600073()([\da-f]{40})5af4602c57600080fd5b6110006000f3/,
]
/** Longer than any of these; immutable arguments may follow. */
const longestClone = 60

/** The implementation of a minimal proxy. */
export function cloneTarget(code: Uint8Array): Address | undefined {
  const text = hexFromBytes(code.subarray(0, longestClone)).slice(2)
  for (const pattern of clonePatterns) {
    const [, push = '', target] = pattern.exec(text) ?? []
    if (target === undefined) continue
    const bytes = push === '' ? 20 : Number.parseInt(push, 16) - 0x5f
    if (target.length === bytes * 2) return `0x${target.padStart(40, '0')}`
  }
  return undefined
}

const delegateCall = 0xf4

/** Whether the code has a DELEGATECALL. */
export function canDelegate(code: Uint8Array): boolean {
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at] as number
    if (opcode === delegateCall) return true
    // Operands of PUSH are data.
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f
  }
  return false
}
