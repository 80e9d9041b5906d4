import { expect, it } from 'vitest'
import { compressedLength, l1FeesOf } from './l1Fees.ts'

/** https://optimistic.etherscan.io/tx/0x8eb9dd4eb6d33f4dc25fb015919e4b1e9f7542f9b0322bf6622e268cd116b594 */
const contractCall =
  '0x02f901550a758302df1483be21b88304743f94f80e51afb613d764fa61751affd3313c190a86bb870151bd62fd12adb8e41ef24f3f000000000000000000000000000000000000000000000000000000000000006e000000000000000000000000af88d065e77c8cc2239327c5edb3a432268e5831000000000000000000000000000000000000000000000000000000000003c1e5000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000a000000000000000000000000000000000000000000000000000000000000000148c89ed219d02f1a5be012c689b4f5b731827bebe000000000000000000000000c001a033fd89cb37c31b2cba46b6466e040c61fc9b2a3675a7f5f493ebd5ad77c497f8a07cdf65680e238392693019b4092f610222e71b7cec06449cb922b93b6a12744e'
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))

// Values of op-geth's core/types/rollup_cost_test.go.
it('tells what FastLZ makes of a transaction', () => {
  expect(compressedLength(new Uint8Array())).toBe(0)
  expect(compressedLength(new Uint8Array(1000).fill(1))).toBe(21)
  expect(compressedLength(new Uint8Array(1000))).toBe(21)
  expect(compressedLength(bytes(contractCall))).toBe(202)
})

it('charges for the data of a transaction as Fjord does', () => {
  const scalars = (2n << 96n) | (3n << 64n) | 7n
  const header = { extraData: '0x00000000fa00000006' } as const
  const slots = [1_000_000_000n, scalars, 10_000_000n, 0n] as const
  expect(l1FeesOf({ raw: '0xc0' }, 21_000n, slots, header)).toEqual({
    l1Fee: 2_274_130n,
    l1GasUsed: 1_136n,
    l1GasPrice: 1_000_000_000n,
    l1BlobBaseFee: 10_000_000n,
    l1BaseFeeScalar: 2n,
    l1BlobBaseFeeScalar: 3n,
    operatorFeeScalar: 0n,
    operatorFeeConstant: 0n,
    operatorFee: 0n,
  })
  // 836 500 * 202 - 42 585 600 millionths of a byte.
  expect(l1FeesOf({ raw: contractCall }, 0n, slots, header).l1Fee).toBe((126_387_400n * 32_030_000_000n) / 10n ** 12n)
})

it('charges the fee of the operator as Isthmus and Jovian do', () => {
  const slots = [0n, 0n, 0n, (1_439_103_868n << 64n) | 1_256_417_826_609_331_460n] as const
  const feeWith = (extraData: `0x${string}`) => l1FeesOf({ raw: '0xc0' }, 1_000n, slots, { extraData }).operatorFee
  expect(feeWith('0x00000000fa00000006')).toBe(1_256_417_826_609_331_460n + 1_439_103n)
  expect(feeWith(`0x01000000fa00000006${'0'.repeat(16)}`)).toBe(1_256_417_826_609_331_460n + 143_910_386_800_000n)
})
