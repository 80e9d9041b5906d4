/** What the host and a sandbox share, in an `ArrayBuffer` of the sandbox. */
export const layout = {
  /** Numbers of 64 bits: pc, op, gas, cost, refund, depth, length of the stack, whether the stack is there. */
  numbers: 8,
  hasStack: 7,
  /** The words on top of the stack, the top first, each as four 64-bit limbs, the lowest first. */
  stackAt: 64,
  stackWords: 20,
  bytes: 64 + 20 * 32,
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
