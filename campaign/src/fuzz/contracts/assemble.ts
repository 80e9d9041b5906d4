import { opcodes } from '@understudy/evm'
import type { Hex } from 'viem'

const codeOf = new Map<string, number>(opcodes.map(({ name, code }) => [name, code]))

/**
 * Bytecode from its text: names of operations, `0x…` for a push of exactly these bytes, `NAME:` for a JUMPDEST with a name and
 * `@NAME` for a push of its position.
 */
export function assemble(text: string): Hex {
  const tokens = text.trim().split(/\s+/)
  const labels = new Map<string, number>()
  let at = 0
  for (const token of tokens) {
    if (token.endsWith(':')) labels.set(token.slice(0, -1), at)
    at += sizeOf(token)
  }
  return `0x${tokens.map((token) => encode(token, labels)).join('')}`
}

function sizeOf(token: string): number {
  if (token.startsWith('@')) return 3
  return token.startsWith('0x') ? token.length / 2 : 1
}

function encode(token: string, labels: ReadonlyMap<string, number>): string {
  if (token.endsWith(':')) return '5b'
  if (token.startsWith('@')) return `61${hex(requireLabel(labels, token.slice(1)), 4)}`
  if (token.startsWith('0x')) return hex(0x5f + token.length / 2 - 1, 2) + token.slice(2)
  const code = codeOf.get(token)
  if (code === undefined) throw new Error(`No operation is called ${token}`)
  return hex(code, 2)
}

function requireLabel(labels: ReadonlyMap<string, number>, name: string): number {
  const position = labels.get(name)
  if (position === undefined) throw new Error(`No position is called ${name}`)
  return position
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
