/** What a step leaves in memory that the host, its worker and the guest share or copy. */
export const layout = {
  /**
   * Numbers of 64 bits: pc, op, gas, cost, refund, depth, length of the stack, whether the stack is there, length of the
   * memory or -1.
   */
  numbers: 9,
  hasStack: 7,
  memoryLength: 8,
  /** The words on top of the stack, the top first, each as four 64-bit limbs, the lowest first. */
  stackAt: 72,
  stackWords: 20,
  bytes: 72 + 20 * 32,
}

/** The 32-bit numbers with which the host and its worker take turns, in front of the step. */
export const control = {
  /** Counts what the host sent. */
  calls: 0,
  /** Counts what the worker sent. */
  replies: 1,
  /** What was sent last: one of `kinds`. */
  kind: 2,
  bytes: 64,
}

export const kinds = {
  /** With a message. */
  message: 0,
  /** A call of `step`, or the end of a call that returned nothing: without a message. */
  plain: 1,
  /** The guest asks; the message is `GuestRequest`. */
  request: 2,
}

/** What a sandbox asks of the host. */
export const requests = {
  names: 0,
  needStack: 1,
  stackWord: 2,
  memoryLength: 3,
  memory: 4,
  balance: 5,
  nonce: 6,
  code: 7,
  storage: 8,
  exists: 9,
  isPrecompile: 10,
  contractAddress: 11,
  contract2Address: 12,
}

/** What the guest's functions may return to the host, and be returned. */
export type Plain = string | number | boolean | Uint8Array | undefined

/** A call of a function of the guest; `open` begins a new one. Milliseconds. */
export type HostCall = { name: string; args: string[]; limitMs: number }
/** What it ended with. */
export type GuestReply = { value: Plain } | { thrown: string } | { late: true }
export type GuestRequest = { request: number; args: (string | number)[] }
export type HostAnswer = { value: Plain } | { failed: string }
