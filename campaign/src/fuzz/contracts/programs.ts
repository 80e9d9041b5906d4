import type { Hex } from 'viem'
import { assemble } from './assemble.ts'
import { precompileInputs } from './precompileInputs.ts'

/** Hostile code, and its input. */
export type HostileProgram = { name: string; code: Hex; data?: Hex }

const forever = (body: string) => assemble(`again: ${body} @again JUMP`)
/** A loop with a counter on the stack. */
const counting = (body: string) => assemble(`0x00 again: 0x01 ADD ${body} @again JUMP`)
/** In a contract of the maximum size. */
const straight = (body: string, bytes = 24_576): Hex => {
  const once = assemble(body).slice(2)
  return `0x${once.repeat(Math.floor((bytes * 2) / once.length))}`
}
const all = 'f'.repeat(64)
/** `kind` with all the gas and nothing given or wanted, to this contract. */
const callSelf = 'PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS GAS CALL POP'

const computing: HostileProgram[] = [
  { name: 'loops', code: forever('') },
  { name: 'nothing but jump destinations', code: `0x${'5b'.repeat(24_573)}5f56` },
  { name: 'multiplies modulo', code: forever(`0x${all} 0x${all} 0x${all} MULMOD POP`) },
  { name: 'divides', code: forever(`0x${'f'.repeat(34)} 0x${all} SDIV POP`) },
  { name: 'adds modulo', code: forever(`0x${'f'.repeat(50)} 0x${all} 0x${all} ADDMOD POP`) },
  { name: 'raises to powers', code: forever(`0x${all} 0x03 EXP POP`) },
  { name: 'hashes little', code: counting('DUP1 PUSH0 MSTORE 0x20 PUSH0 KECCAK256 POP') },
  { name: 'hashes much', code: forever('0x100000 PUSH0 KECCAK256 POP') },
  { name: 'copies memory', code: forever('0x100000 PUSH0 0x20 MCOPY') },
  { name: 'copies memory, little by little', code: straight('0x01 PUSH0 PUSH0 MCOPY', 24_000) },
  { name: 'copies its code', code: forever('0x6000 PUSH0 PUSH0 CODECOPY') },
  { name: 'copies the code of others', code: forever('0x6000 PUSH0 PUSH0 ADDRESS EXTCODECOPY') },
  { name: 'copies call data', code: forever('0x010000 PUSH0 PUSH0 CALLDATACOPY') },
]

const growing: HostileProgram[] = [
  { name: 'doubles its memory', code: assemble('0x01 again: DUP1 ADD 0x01 DUP2 MSTORE @again JUMP') },
  { name: 'touches memory at the end of the world', code: assemble(`0x01 0x${all} MSTORE`) },
  { name: 'returns 16 MB', code: assemble('0x01000000 PUSH0 RETURN') },
  { name: 'reverts with 16 MB', code: assemble('0x01000000 PUSH0 REVERT') },
  { name: 'logs 8 MB', code: assemble('0x400000 PUSH0 LOG0 0x400000 PUSH0 LOG0 STOP') },
  { name: 'logs without end', code: forever('PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 LOG4') },
  { name: 'logs 1 kB without end', code: forever('0x0400 PUSH0 LOG0') },
  { name: 'fills storage', code: counting('DUP1 DUP1 SSTORE') },
  { name: 'fills transient storage', code: counting('DUP1 DUP1 TSTORE') },
  { name: 'reads slots without end', code: counting('DUP1 SLOAD POP') },
  {
    name: 'reads slots that slots point to',
    code: assemble('0x07 again: DUP1 SLOAD ADD 0x01 ADD DUP1 PUSH0 MSTORE 0x20 PUSH0 KECCAK256 @again JUMP'),
  },
  { name: 'reads balances without end', code: counting('DUP1 0x010000 ADD BALANCE POP') },
  { name: 'writes one slot to and fro', code: counting('DUP1 PUSH0 SSTORE') },
]

const nesting: HostileProgram[] = [
  { name: 'recurses to the end', code: assemble(`${callSelf} ${callSelf} STOP`) },
  { name: 'recurses with memory in each frame', code: assemble(`0x01 0x010000 MSTORE ${callSelf} STOP`) },
  {
    name: 'recurses with 100 kB of call data',
    code: assemble(`PUSH0 PUSH0 0x0186a0 PUSH0 PUSH0 ADDRESS GAS CALL STOP`),
  },
  {
    name: 'recurses as a delegate',
    code: assemble(
      'PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS GAS DELEGATECALL POP PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS GAS DELEGATECALL STOP',
    ),
  },
  { name: 'calls an empty account in a loop', code: counting('PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 DUP6 GAS CALL POP') },
  {
    name: 'calls one contract with 10 kB of data without end',
    code: forever('PUSH0 PUSH0 0x2710 PUSH0 PUSH0 0xdead GAS CALL POP'),
  },
  {
    name: 'passes 1 MB of return data on',
    code: assemble(
      `CALLDATASIZE @leaf JUMPI again: PUSH0 PUSH0 0x01 PUSH0 PUSH0 ADDRESS GAS CALL POP RETURNDATASIZE PUSH0 PUSH0 RETURNDATACOPY @again JUMP leaf: 0x100000 PUSH0 RETURN`,
    ),
  },
  { name: 'creates nothing without end', code: forever('PUSH0 PUSH0 PUSH0 CREATE POP') },
  {
    name: 'creates what destroys itself',
    // Its initcode is ADDRESS SELFDESTRUCT.
    code: counting('0x30ff PUSH0 MSTORE DUP1 0x02 0x1e PUSH0 CREATE2 POP'),
  },
  { name: 'creates from 48 kB of initcode', code: counting('DUP1 0xc000 PUSH0 PUSH0 CREATE2 POP') },
  {
    name: 'creates contracts of 24 kB',
    // Its initcode is PUSH2 6000 PUSH0 RETURN.
    code: counting('0x6160005ff3 PUSH0 MSTORE DUP1 0x05 0x1b PUSH0 CREATE2 POP'),
  },
  {
    name: 'creates itself within itself',
    code: assemble('CODESIZE PUSH0 PUSH0 CODECOPY CODESIZE PUSH0 PUSH0 CREATE POP CODESIZE PUSH0 PUSH0 CREATE STOP'),
  },
  { name: 'destroys itself in every frame', code: assemble(`${callSelf} ADDRESS SELFDESTRUCT`) },
]

const callsPrecompiles: HostileProgram[] = precompileInputs.map(({ name, address, input }) => ({
  name: `calls ${name}`,
  code: assemble(
    `CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY again: PUSH0 PUSH0 CALLDATASIZE PUSH0 0x${address.toString(16).padStart(4, '0')} GAS STATICCALL POP @again JUMP`,
  ),
  data: `0x${input}`,
}))

export const hostilePrograms: readonly HostileProgram[] = [...computing, ...growing, ...nesting, ...callsPrecompiles]
