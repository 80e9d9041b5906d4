/** The numbers of the operations that the interpreter handles one by one; PUSH, DUP, SWAP and LOG are written out there. */
export const enum Op {
  STOP = 0x00,
  ADD = 0x01,
  MUL = 0x02,
  SUB = 0x03,
  DIV = 0x04,
  SDIV = 0x05,
  MOD = 0x06,
  SMOD = 0x07,
  ADDMOD = 0x08,
  MULMOD = 0x09,
  EXP = 0x0a,
  SIGNEXTEND = 0x0b,
  LT = 0x10,
  GT = 0x11,
  SLT = 0x12,
  SGT = 0x13,
  EQ = 0x14,
  ISZERO = 0x15,
  AND = 0x16,
  OR = 0x17,
  XOR = 0x18,
  NOT = 0x19,
  BYTE = 0x1a,
  SHL = 0x1b,
  SHR = 0x1c,
  SAR = 0x1d,
  CLZ = 0x1e,
  KECCAK256 = 0x20,
  ADDRESS = 0x30,
  BALANCE = 0x31,
  ORIGIN = 0x32,
  CALLER = 0x33,
  CALLVALUE = 0x34,
  CALLDATALOAD = 0x35,
  CALLDATASIZE = 0x36,
  CALLDATACOPY = 0x37,
  CODESIZE = 0x38,
  CODECOPY = 0x39,
  GASPRICE = 0x3a,
  EXTCODESIZE = 0x3b,
  EXTCODECOPY = 0x3c,
  RETURNDATASIZE = 0x3d,
  RETURNDATACOPY = 0x3e,
  EXTCODEHASH = 0x3f,
  BLOCKHASH = 0x40,
  COINBASE = 0x41,
  TIMESTAMP = 0x42,
  NUMBER = 0x43,
  PREVRANDAO = 0x44,
  GASLIMIT = 0x45,
  CHAINID = 0x46,
  SELFBALANCE = 0x47,
  BASEFEE = 0x48,
  BLOBHASH = 0x49,
  BLOBBASEFEE = 0x4a,
  SLOTNUM = 0x4b,
  POP = 0x50,
  MLOAD = 0x51,
  MSTORE = 0x52,
  MSTORE8 = 0x53,
  SLOAD = 0x54,
  SSTORE = 0x55,
  JUMP = 0x56,
  JUMPI = 0x57,
  PC = 0x58,
  MSIZE = 0x59,
  GAS = 0x5a,
  JUMPDEST = 0x5b,
  TLOAD = 0x5c,
  TSTORE = 0x5d,
  MCOPY = 0x5e,
  PUSH0 = 0x5f,
  PUSH1 = 0x60,
  PUSH2 = 0x61,
  PUSH3 = 0x62,
  PUSH4 = 0x63,
  PUSH32 = 0x7f,
  DUP1 = 0x80,
  DUP16 = 0x8f,
  SWAP1 = 0x90,
  SWAP16 = 0x9f,
  LOG0 = 0xa0,
  DUPN = 0xe6,
  SWAPN = 0xe7,
  EXCHANGE = 0xe8,
  CREATE = 0xf0,
  CALL = 0xf1,
  CALLCODE = 0xf2,
  RETURN = 0xf3,
  DELEGATECALL = 0xf4,
  CREATE2 = 0xf5,
  STATICCALL = 0xfa,
  REVERT = 0xfd,
  INVALID = 0xfe,
  SELFDESTRUCT = 0xff,
}

/**
 * Sequences that the analysis joins into one operation (see state/fusion.ts). Their numbers are free in every fork; a code that
 * holds such a byte as an operation gets INVALID there. In their names, DUP and SWAP stand for any of their kind: their number is
 * in the original code. JUMPI is PUSH2 and JUMPI. MASK is PUSH1 1, PUSH1 1, PUSH1 n, SHL and SUB: the word 2^n - 1.
 */
export const enum Fused {
  FIRST = 0xb0,
  PUSH2_JUMP = 0xb0,
  PUSH2_JUMPI = 0xb1,
  ISZERO_JUMPI = 0xb2,
  PUSH1_ADD = 0xb3,
  PUSH1_MLOAD = 0xb4,
  PUSH1_MSTORE = 0xb5,
  PUSH1_SHL = 0xb6,
  PUSH1_SHR = 0xb7,
  SWAP_POP = 0xb8,
  POP_POP = 0xb9,
  DUP1_PUSH4_EQ_JUMPI = 0xba,
  /** A mark of coverage; see state/coverage.ts. No fork has it: it ends up where operations are refused, so it costs nothing. */
  MARK = 0xbb,
  PUSH1_PUSH1 = 0xbc,
  PUSH1_DUP = 0xbd,
  MASK = 0xbe,
  MASK_AND = 0xbf,
  MASK_DUP_AND = 0xc0,
  POP_POP_POP = 0xc1,
  POP_JUMP = 0xc2,
  LT_JUMPI = 0xc3,
  GT_JUMPI = 0xc4,
  EQ_JUMPI = 0xc5,
  LT_ISZERO_JUMPI = 0xc6,
  GT_ISZERO_JUMPI = 0xc7,
  DUP1_ISZERO_JUMPI = 0xc8,
  DUP_AND = 0xc9,
  DUP_ADD = 0xca,
  DUP_MSTORE = 0xcb,
  DUP_DUP = 0xcc,
  SWAP1_DUP = 0xcd,
  SWAP_SWAP = 0xce,
  ADD_PUSH2_JUMP = 0xcf,
  LAST = 0xcf,
}

// A row of the table at ROWS: bits 0-15 the bytes of stack that it takes, 16-31 the bytes of room that it needs above, 32-63 the
// static gas. An operation that the fork lacks needs more stack than there can be.

@inline
export function rowGas(row: u64): i64 {
  return <i64>(row >> 32)
}

@inline
export function rowNeed(row: u64): i32 {
  return <i32>(row & 0xffff)
}

@inline
export function rowRoom(row: u64): i32 {
  return <i32>((row >> 16) & 0xffff)
}

/** What `rowNeed` answers for an operation that the fork lacks. */
export const UNDEFINED_NEED: i32 = 0xffff
