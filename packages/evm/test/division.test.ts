import { createRandom } from '@understudy/testkit'
import { describe, expect, it } from 'vitest'
import { createEvm } from '../src/engine.ts'
import type { BlockContext } from '../src/port.ts'
import { MemoryState } from './conformance/memoryState.ts'

const block: BlockContext = {
  chainId: 1n,
  fork: 'osaka',
  number: 1n,
  timestamp: 1n,
  coinbase: `0x${'c0'.repeat(20)}`,
  gasLimit: 30_000_000n,
  baseFee: 0n,
  prevRandao: 0n,
  blobBaseFee: 1n,
}
const to = `0x${'aa'.repeat(20)}` as const
const from = `0x${'bb'.repeat(20)}` as const
const word = 1n << 256n
const signed = (value: bigint) => BigInt.asIntN(256, value)
const quotient = (a: bigint, b: bigint) => (b === 0n ? 0n : a / b)
const remainder = (a: bigint, b: bigint) => (b === 0n ? 0n : a % b)

/** What each operation answers, by the numbers of JavaScript. */
const operations: Record<string, { code: number; expected(a: bigint, b: bigint, m: bigint): bigint }> = {
  DIV: { code: 0x04, expected: quotient },
  SDIV: { code: 0x05, expected: (a, b) => quotient(signed(a), signed(b)) },
  MOD: { code: 0x06, expected: remainder },
  SMOD: { code: 0x07, expected: (a, b) => remainder(signed(a), signed(b)) },
  ADDMOD: { code: 0x08, expected: (a, b, m) => remainder(a + b, m) },
  MULMOD: { code: 0x09, expected: (a, b, m) => remainder(a * b, m) },
}

/** Answers the result of every operation on the three words of its data. Words that an operation does not take stay on the stack. */
const code = Uint8Array.from([
  ...Object.values(operations).flatMap(({ code: op }, index) => [
    ...[0x60, 0x40, 0x35, 0x60, 0x20, 0x35, 0x60, 0x00, 0x35, op],
    ...[0x60, index * 32, 0x52],
  ]),
  ...[0x60, Object.keys(operations).length * 32, 0x60, 0x00, 0xf3],
])

const limits = [0n, 1n, 2n, 0x7fffffffn, 0x80000000n, 0xffffffffn, 1n << 32n, (1n << 63n) - 1n, 1n << 63n]

describe('division', () => {
  const evm = createEvm()
  const account = { balance: 0n, nonce: 1n, code, storage: new Map<string, bigint>() }
  const state = new MemoryState(new Map([[to, account]]))

  function results(operands: readonly [bigint, bigint, bigint]): bigint[] {
    const data = Buffer.from(operands.map((value) => value.toString(16).padStart(64, '0')).join(''), 'hex')
    const message = { from, to, value: 0n, data, gasLimit: 1_000_000n, gasPrice: 0n }
    const output = evm.output(message, block, state, {})
    if (output === undefined) throw new Error('there is no output')
    const hex = Buffer.from(output).toString('hex')
    return Object.keys(operations).map((_, index) => BigInt(`0x${hex.slice(index * 64, index * 64 + 64)}`))
  }

  it('answers what the numbers of JavaScript do', () => {
    const random = createRandom(7)
    const limb = () => {
      if (random.chance(0.3)) return random.pick(limits)
      if (random.chance(0.3)) return (1n << 64n) - BigInt(random.integer(1, 3))
      return BigInt(`0x${Buffer.from(random.bytes(8)).toString('hex')}`)
    }
    const operand = () => {
      let value = 0n
      for (let limbs = random.integer(0, 4); limbs > 0; limbs--) value = (value << 64n) | limb()
      return value
    }
    const wrong: unknown[] = []
    for (let i = 0; i < 20_000; i++) {
      const operands: [bigint, bigint, bigint] = [operand(), operand(), operand()]
      // Fixed-point numbers have low limbs of zeros.
      for (const at of [1, 2] as const) {
        if (random.chance(0.2)) operands[at] = (operands[at] << BigInt(random.integer(1, 200))) % word
      }
      // The highest limbs of dividend and divisor are the same: the guess of a limb of the quotient is at its limit.
      if (random.chance(0.3)) operands[0] = (operands[1] << BigInt(64 * random.integer(0, 3))) % word
      if (random.chance(0.1)) operands[0] = (operands[0] - BigInt(random.integer(0, 2)) + word) % word
      const expected = Object.values(operations).map((operation) =>
        BigInt.asUintN(256, operation.expected(...operands)),
      )
      const found = results(operands)
      if (found.some((value, index) => value !== expected[index])) wrong.push({ operands, found, expected })
    }
    expect(wrong).toEqual([])
  })
})
