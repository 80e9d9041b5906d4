// What the engine asks of the host (src/port.ts). Arguments and answers go through EXCHANGE as big-endian bytes.

/** Address at 0 → balance at 32, nonce at 64 (little-endian), code hash at 72. False when the view lacks it. */
@external('host', 'loadAccount')
export declare function loadAccount(): bool
/** Address at 0, key at 32 → value at 64. False when the view lacks it. */
@external('host', 'loadSlot')
export declare function loadSlot(): bool
/** Address at 0, code hash at 32 → the code's length; -1 when the view lacks it. */
@external('host', 'loadCode')
export declare function loadCode(): i32
/** Writes the code that `loadCode` found. */
@external('host', 'copyCode')
export declare function copyCode(to: usize): void
/** Block number → hash at 0. */
@external('host', 'blockHash')
export declare function blockHash(number: u64): void
/** Address at 0 → whether the account has any storage (EIP-7610). */
@external('host', 'hasStorage')
export declare function hasStorage(): bool
/**
 * Runs a precompile, and leaves its output at RETURN_DATA. Answers the gas used; -1 when there is too little, -2 when it failed,
 * -3 when it takes long (then the message is paused until `settlePrecompile`), and -4 less the gas when it reverted.
 */
@external('host', 'precompile')
export declare function precompile(number: u32, input: usize, length: u32, gas: i64): i64
/** Address at 0. Answers the length of the new return data, or -1 to leave it. */
@external('host', 'replaceOutput')
export declare function replaceOutput(input: usize, length: u32, outputLength: u32): i32
/** Now and then while code runs. Answers whether to pause the message. */
@external('host', 'pauseCheck')
export declare function pauseCheck(): bool
/** Before an operation runs; only in the tracing build. */
@external('host', 'step')
export declare function step(
  pc: u32,
  op: i32,
  gas: i64,
  refund: i64,
  depth: u32,
  stack: usize,
  stackBase: usize,
  memory: usize,
  memorySize: u32,
  account: usize,
): void
/**
 * What the operation of the last `step` cost, and how it halted (0 when it did not); only in the tracing build. Answers whether
 * to pause, as `pauseCheck` does.
 */
@external('host', 'stepDone')
export declare function stepDone(cost: i64, halt: i32): bool
