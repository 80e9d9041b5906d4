import { describe, expect, it } from 'vitest'
import { nextBaseFee } from '../fees.ts'
import { type Header, headerFromRpc } from '../header.ts'

const figure = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, '0')
const parent = (baseFee: number, gasUsed: number, extraData: Header['extraData']): Header => ({
  ...headerFromRpc({}),
  gasLimit: 30_000_000n,
  baseFeePerGas: BigInt(baseFee),
  gasUsed: BigInt(gasUsed),
  extraData,
})
const next = (header: Header) => Number(nextBaseFee(header, { type: 'optimism' }))

/** The values of op-geth's consensus/misc/eip1559/eip1559_test.go. */
describe('the base fee of the OP Stack', () => {
  it('is the one of Base Sepolia after block 19773628', () => {
    // As reth has it, crates/optimism/consensus/src/lib.rs.
    const header = { ...parent(507, 4_847_634, '0x00000000fa0000000a'), gasLimit: 60_000_000n }
    expect(next(header)).toBe(507)
  })

  it.each([
    [5_000_000, 1_000_000_000],
    [4_000_000, 999_200_000],
    [10_000_000, 1_004_000_000],
  ])('is that of Canyon without parameters, after %i gas', (gasUsed, expected) => {
    expect(next(parent(1_000_000_000, gasUsed, '0x'))).toBe(expected)
  })

  it.each([
    [15_000_000, 10_000_000, 10, 2],
    [10_000_000, 9_666_667, 10, 2],
    [20_000_000, 10_333_333, 10, 2],
    [3_000_000, 10_000_000, 2, 10],
    [1_000_000, 6_666_667, 2, 10],
    [30_000_000, 55_000_000, 2, 10],
  ])('follows the parameters of Holocene, after %i gas', (gasUsed, expected, denominator, elasticity) => {
    const extraData = `0x00${figure(denominator, 4)}${figure(elasticity, 4)}` as const
    expect(next(parent(10_000_000, gasUsed, extraData))).toBe(expected)
  })

  it.each([
    [1, 10_000_000, 1_000_000_000, 1e9],
    [1, 11_000_000, 1_000_000_000, 1e9],
    [2e9, 20_000_000, 2_040_000_000, 1e9],
    [1, 9_000_000, 1_000_000_000, 1e9],
    [2_097_152, 9_000_000, 2_092_958, 2e6],
  ])('is no less than the minimum of Jovian: %i wei, after %i gas', (baseFee, gasUsed, expected, minimum) => {
    const extraData = `0x01${figure(50, 4)}${figure(3, 4)}${figure(minimum, 8)}` as const
    expect(next(parent(baseFee, gasUsed, extraData))).toBe(expected)
  })
})
