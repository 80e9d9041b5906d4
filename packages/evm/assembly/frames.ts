// The stack of frames. It is an array, not recursion: depth is bounded, and a frame's registers are in memory while another runs.
import { Account } from './state/accounts'
import { FRAMES } from './layout'

@unmanaged
export class Frame {
  // The registers of the interpreter, while the frame does not run.
  pc: u32
  sp: u32
  /** Where its stack begins: the word above its first. */
  base: u32
  memory: u32
  memorySize: u32

  /** What runs, and what it was made of. See codes.ts. */
  text: u32
  jumps: u32
  raw: u32
  codeLength: u32

  depth: u32
  type: i32
  /** How it ended. */
  halt: i32
  /** The account whose storage it uses. */
  self: u32
  /** The called or created account, as the caller named it. */
  target: u32
  /** The caller's account. */
  caller: u32
  input: u32
  inputLength: u32
  isStatic: u32
  /** Where in the caller's memory the return data goes. */
  outputOffset: u32
  outputLength: u32
  overridden: u32

  // Where journal, logs and refund were when it started.
  journal: u32
  logsEnd: u32
  logCount: u32
  record: u32
  padding: u32
  refund: i64
  gas: i64

  // State gas (EIP-8037): what it took of its own gas, the counters when it started, and what its caller paid for the new account.
  spilled: i64
  reservoir: i64
  stateGasUsed: i64
  newAccount: i64
  value0: u64
  value1: u64
  value2: u64
  value3: u64

  @inline get value(): usize {
    return changetype<usize>(this) + offsetof<Frame>('value0')
  }
  @inline get selfAccount(): Account {
    return changetype<Account>(<usize>this.self)
  }
  @inline get targetAccount(): Account {
    return changetype<Account>(<usize>this.target)
  }
  @inline get callerAccount(): Account {
    return changetype<Account>(<usize>this.caller)
  }
}

const FRAME_BYTES: usize = 192
/** The deepest frame that runs. */
export const MAX_DEPTH: u32 = 1024

export const FIRST_FRAME: Frame = changetype<Frame>(FRAMES)

@inline
export function childOf(frame: Frame): Frame {
  return changetype<Frame>(changetype<usize>(frame) + FRAME_BYTES)
}

@inline
export function parentOf(frame: Frame): Frame {
  return changetype<Frame>(changetype<usize>(frame) - FRAME_BYTES)
}

/** The length of what the last finished call returned, at RETURN_DATA. */
export let returnLength: u32 = 0

export function setReturnLength(length: u32): void {
  returnLength = length
}
