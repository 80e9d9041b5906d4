import type { Prices } from './gas/prices.ts'
import { type Fork, forks } from './port.ts'

type PriceOf = (prices: Prices) => number

/** One operation. */
export type Opcode = {
  code: number
  name: string
  /** Its constant gas, which may be a price; for state accesses, that of a warm one. */
  gas: number | PriceOf
  /** Number of words that it removes from the stack. */
  takes: number
  /** Number of words that it pushes on the stack. */
  puts: number
  since: Fork
}

type Row = readonly [code: number, name: string, gas: number | PriceOf, takes: number, puts: number, since?: Fork]

const warm: PriceOf = ({ warmAccess }) => warmAccess
const readCode: PriceOf = ({ warmAccess, readCode }) => warmAccess + readCode
const transient: PriceOf = (prices) => prices.transient
const create: PriceOf = (prices) => prices.create

const rows: Row[] = [
  [0x00, 'STOP', 0, 0, 0],
  [0x01, 'ADD', 3, 2, 1],
  [0x02, 'MUL', 5, 2, 1],
  [0x03, 'SUB', 3, 2, 1],
  [0x04, 'DIV', 5, 2, 1],
  [0x05, 'SDIV', 5, 2, 1],
  [0x06, 'MOD', 5, 2, 1],
  [0x07, 'SMOD', 5, 2, 1],
  [0x08, 'ADDMOD', 8, 3, 1],
  [0x09, 'MULMOD', 8, 3, 1],
  [0x0a, 'EXP', ({ exp }) => exp, 2, 1],
  [0x0b, 'SIGNEXTEND', 5, 2, 1],
  [0x10, 'LT', 3, 2, 1],
  [0x11, 'GT', 3, 2, 1],
  [0x12, 'SLT', 3, 2, 1],
  [0x13, 'SGT', 3, 2, 1],
  [0x14, 'EQ', 3, 2, 1],
  [0x15, 'ISZERO', 3, 1, 1],
  [0x16, 'AND', 3, 2, 1],
  [0x17, 'OR', 3, 2, 1],
  [0x18, 'XOR', 3, 2, 1],
  [0x19, 'NOT', 3, 1, 1],
  [0x1a, 'BYTE', 3, 2, 1],
  [0x1b, 'SHL', 3, 2, 1],
  [0x1c, 'SHR', 3, 2, 1],
  [0x1d, 'SAR', 3, 2, 1],
  [0x1e, 'CLZ', 5, 1, 1, 'osaka'],
  [0x20, 'KECCAK256', ({ keccak }) => keccak, 2, 1],
  [0x30, 'ADDRESS', 2, 0, 1],
  [0x31, 'BALANCE', warm, 1, 1],
  [0x32, 'ORIGIN', 2, 0, 1],
  [0x33, 'CALLER', 2, 0, 1],
  [0x34, 'CALLVALUE', 2, 0, 1],
  [0x35, 'CALLDATALOAD', 3, 1, 1],
  [0x36, 'CALLDATASIZE', 2, 0, 1],
  [0x37, 'CALLDATACOPY', 3, 3, 0],
  [0x38, 'CODESIZE', 2, 0, 1],
  [0x39, 'CODECOPY', 3, 3, 0],
  [0x3a, 'GASPRICE', 2, 0, 1],
  [0x3b, 'EXTCODESIZE', readCode, 1, 1],
  [0x3c, 'EXTCODECOPY', readCode, 4, 0],
  [0x3d, 'RETURNDATASIZE', 2, 0, 1],
  [0x3e, 'RETURNDATACOPY', 3, 3, 0],
  [0x3f, 'EXTCODEHASH', warm, 1, 1],
  [0x40, 'BLOCKHASH', 20, 1, 1],
  [0x41, 'COINBASE', 2, 0, 1],
  [0x42, 'TIMESTAMP', 2, 0, 1],
  [0x43, 'NUMBER', 2, 0, 1],
  [0x44, 'PREVRANDAO', 2, 0, 1],
  [0x45, 'GASLIMIT', 2, 0, 1],
  [0x46, 'CHAINID', 2, 0, 1],
  [0x47, 'SELFBALANCE', 5, 0, 1],
  [0x48, 'BASEFEE', 2, 0, 1, 'london'],
  [0x49, 'BLOBHASH', 3, 1, 1, 'cancun'],
  [0x4a, 'BLOBBASEFEE', 2, 0, 1, 'cancun'],
  [0x50, 'POP', 2, 1, 0],
  [0x51, 'MLOAD', 3, 1, 1],
  [0x52, 'MSTORE', 3, 2, 0],
  [0x53, 'MSTORE8', 3, 2, 0],
  [0x54, 'SLOAD', warm, 1, 1],
  [0x55, 'SSTORE', 0, 2, 0],
  [0x56, 'JUMP', 8, 1, 0],
  [0x57, 'JUMPI', 10, 2, 0],
  [0x58, 'PC', 2, 0, 1],
  [0x59, 'MSIZE', 2, 0, 1],
  [0x5a, 'GAS', 2, 0, 1],
  [0x5b, 'JUMPDEST', 1, 0, 0],
  [0x5c, 'TLOAD', transient, 1, 1, 'cancun'],
  [0x5d, 'TSTORE', transient, 2, 0, 'cancun'],
  [0x5e, 'MCOPY', 3, 3, 0, 'cancun'],
  [0x5f, 'PUSH0', 2, 0, 1, 'shanghai'],
  ...Array.from({ length: 32 }, (_, i): Row => [0x60 + i, `PUSH${i + 1}`, 3, 0, 1]),
  ...Array.from({ length: 16 }, (_, i): Row => [0x80 + i, `DUP${i + 1}`, 3, i + 1, i + 2]),
  ...Array.from({ length: 16 }, (_, i): Row => [0x90 + i, `SWAP${i + 1}`, 3, i + 2, i + 2]),
  ...Array.from(
    { length: 5 },
    (_, i): Row => [0xa0 + i, `LOG${i}`, ({ log, logTopic }) => log + logTopic * i, i + 2, 0],
  ),
  [0xf0, 'CREATE', create, 3, 1],
  [0xf1, 'CALL', warm, 7, 1],
  [0xf2, 'CALLCODE', warm, 7, 1],
  [0xf3, 'RETURN', 0, 2, 0],
  [0xf4, 'DELEGATECALL', warm, 6, 1],
  [0xf5, 'CREATE2', create, 4, 1],
  [0xfa, 'STATICCALL', warm, 6, 1],
  [0xfd, 'REVERT', 0, 2, 0],
  [0xff, 'SELFDESTRUCT', ({ selfdestruct }) => selfdestruct, 1, 0],
  [0x4b, 'SLOTNUM', 2, 0, 1, 'amsterdam'],
  // The stack that these need is in their immediate byte.
  [0xe6, 'DUPN', 3, 0, 1, 'amsterdam'],
  [0xe7, 'SWAPN', 3, 0, 0, 'amsterdam'],
  [0xe8, 'EXCHANGE', 3, 0, 0, 'amsterdam'],
]

function isIn(fork: Fork, since: Fork): boolean {
  return forks.indexOf(since) <= forks.indexOf(fork)
}

/** Every operation of every fork. */
export const opcodes: readonly Opcode[] = rows.map(([code, name, gas, takes, puts, since = 'berlin']) => ({
  code,
  name,
  gas,
  takes,
  puts,
  since,
}))

const names = new Map(opcodes.map((opcode) => [opcode.code, opcode.name]))

/** The name of an operation, or `opcode 0x… not defined` in geth's words. */
export function opcodeName(code: number): string {
  if (code === 0xfe) return 'INVALID'
  return names.get(code) ?? `opcode 0x${code.toString(16)} not defined`
}

const mask = ['PUSH1', 'PUSH1', 'PUSH1', 'SHL', 'SUB']

/**
 * Sequences that the interpreter runs as one operation (assembly/opcodes.ts), by number. Where DUP and SWAP stand for all of their
 * kind, DUP1 and SWAP1 are here: what others need beyond that, the interpreter checks.
 */
const fusions: readonly (readonly [number, readonly string[]])[] = [
  [0xb0, ['PUSH2', 'JUMP']],
  [0xb1, ['PUSH2', 'JUMPI']],
  [0xb2, ['ISZERO', 'PUSH2', 'JUMPI']],
  [0xb3, ['PUSH1', 'ADD']],
  [0xb4, ['PUSH1', 'MLOAD']],
  [0xb5, ['PUSH1', 'MSTORE']],
  [0xb6, ['PUSH1', 'SHL']],
  [0xb7, ['PUSH1', 'SHR']],
  [0xb8, ['SWAP1', 'POP']],
  [0xb9, ['POP', 'POP']],
  [0xba, ['DUP1', 'PUSH4', 'EQ', 'PUSH2', 'JUMPI']],
  [0xbc, ['PUSH1', 'PUSH1']],
  [0xbd, ['PUSH1', 'DUP1']],
  [0xbe, mask],
  [0xbf, [...mask, 'AND']],
  [0xc0, [...mask, 'DUP1', 'AND']],
  [0xc1, ['POP', 'POP', 'POP']],
  [0xc2, ['POP', 'JUMP']],
  [0xc3, ['LT', 'PUSH2', 'JUMPI']],
  [0xc4, ['GT', 'PUSH2', 'JUMPI']],
  [0xc5, ['EQ', 'PUSH2', 'JUMPI']],
  [0xc6, ['LT', 'ISZERO', 'PUSH2', 'JUMPI']],
  [0xc7, ['GT', 'ISZERO', 'PUSH2', 'JUMPI']],
  [0xc8, ['DUP1', 'ISZERO', 'PUSH2', 'JUMPI']],
  [0xc9, ['DUP1', 'AND']],
  [0xca, ['DUP1', 'ADD']],
  [0xcb, ['DUP1', 'MSTORE']],
  [0xcc, ['DUP1', 'DUP1']],
  [0xcd, ['SWAP1', 'DUP1']],
  [0xce, ['SWAP1', 'SWAP1']],
  [0xcf, ['ADD', 'PUSH2', 'JUMP']],
]

const bytesOfWord = 32
const undefinedNeed = 0xffff

/** The table of a fork, with prices, in the interpreter's form (assembly/opcodes.ts): one 64-bit row for each operation. */
export function packRows(fork: Fork, prices: Prices): Uint8Array {
  const packed = new Uint8Array(256 * 8)
  const data = new DataView(packed.buffer)
  const write = (code: number, gas: number, need: number, room: number) => {
    data.setUint16(code * 8, need, true)
    data.setUint16(code * 8 + 2, room, true)
    data.setUint32(code * 8 + 4, Math.min(gas, 0xffffffff), true)
  }
  for (let code = 0; code < 256; code++) write(code, 0, undefinedNeed, 0)
  const gasOf = ({ gas }: Opcode) => (typeof gas === 'number' ? gas : gas(prices))
  const byName = new Map<string, Opcode>()
  for (const opcode of opcodes) {
    if (!isIn(fork, opcode.since)) continue
    byName.set(opcode.name, opcode)
    const growth = Math.max(0, opcode.puts - opcode.takes)
    write(opcode.code, gasOf(opcode), opcode.takes * bytesOfWord, growth * bytesOfWord)
  }
  for (const [code, parts] of fusions) {
    let [gas, height, need, room] = [0, 0, 0, 0]
    for (const name of parts) {
      const part = byName.get(name)
      if (part === undefined) throw new Error(`The fused operation ${name} is not in the table of ${fork}`)
      gas += gasOf(part)
      need = Math.max(need, part.takes - height)
      height += part.puts - part.takes
      room = Math.max(room, height)
    }
    write(code, gas, need * bytesOfWord, room * bytesOfWord)
  }
  return packed
}
