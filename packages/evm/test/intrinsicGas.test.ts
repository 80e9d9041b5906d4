import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rulesOf } from '../src/forks.ts'
import { intrinsicGasOf } from '../src/gas/intrinsicGas.ts'

const rules = rulesOf({ fork: 'prague' })
const zeroAddress = `0x${'00'.repeat(20)}` as const

it('counts the zero bytes of data of any length, wherever it begins', () => {
  const byte = fc.oneof(fc.constant(0), fc.constantFrom(1, 0x7f, 0x80, 0xff), fc.nat(255))
  const given = fc.oneof(fc.array(byte, { maxLength: 20 }), fc.array(byte, { minLength: 240, maxLength: 2000 }))
  fc.assert(
    fc.property(given, fc.nat(7), (bytes, offset) => {
      const data = new Uint8Array(bytes.length + offset).subarray(offset)
      data.set(bytes)
      const message = { from: zeroAddress, to: zeroAddress, value: 0n, data, gasLimit: 0n, gasPrice: 0n }
      const zeros = bytes.filter((one) => one === 0).length
      const tokens = BigInt(zeros + 4 * (bytes.length - zeros))
      expect(intrinsicGasOf(message, rules)).toEqual({
        intrinsic: 21_000n + 4n * tokens,
        floor: 21_000n + 10n * tokens,
      })
    }),
    { numRuns: 1000 },
  )
})
