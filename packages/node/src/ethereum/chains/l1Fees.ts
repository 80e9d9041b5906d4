import type { Address, BlockContext, Word } from '@understudy/evm'
import { bytesFromHex, wordFromBigint } from '../../shared/hex.ts'
import type { Header } from '../header.ts'
import type { Transaction } from '../transaction.ts'

/** Where the OP Stack keeps what it knows of the layer below, and where fees go. */
export const l1Block: Address = '0x4200000000000000000000000000000000000015'
export const baseFeeVault: Address = '0x4200000000000000000000000000000000000019'
export const l1FeeVault: Address = '0x420000000000000000000000000000000000001a'
export const operatorFeeVault: Address = '0x420000000000000000000000000000000000001b'

/** Slots of `l1Block`: the base fee, the scalars (with the sequence number), the blob base fee, and the operator's fee. */
export const l1Slots: readonly [Word, Word, Word, Word] = [
  wordFromBigint(1n),
  wordFromBigint(3n),
  wordFromBigint(7n),
  wordFromBigint(8n),
]

/** What a transaction pays beside its gas, and by what: the fields of its receipt. Amounts in wei. */
export type L1Fees = {
  l1Fee: bigint
  l1GasUsed: bigint
  l1GasPrice: bigint
  l1BlobBaseFee: bigint
  l1BaseFeeScalar: bigint
  l1BlobBaseFeeScalar: bigint
  operatorFeeScalar: bigint
  operatorFeeConstant: bigint
  operatorFee: bigint
}

/**
 * The fees of a transaction that used so much gas (Fjord: https://specs.optimism.io/protocol/fjord/exec-engine.html, Isthmus
 * and Jovian for the operator's). `slots`: the values of `l1Slots`.
 */
export function l1FeesOf(
  { raw }: Pick<Transaction, 'raw'>,
  gasUsed: bigint,
  slots: readonly [bigint, bigint, bigint, bigint],
  { extraData }: Pick<Header, 'extraData'>,
): L1Fees {
  const [l1GasPrice, scalars, l1BlobBaseFee, operator] = slots
  // Bytes 16 to 20 of the slot, and 20 to 24.
  const l1BaseFeeScalar = (scalars >> 96n) & 0xffff_ffffn
  const l1BlobBaseFeeScalar = (scalars >> 64n) & 0xffff_ffffn
  const operatorFeeScalar = (operator >> 64n) & 0xffff_ffffn
  const operatorFeeConstant = operator & 0xffff_ffff_ffff_ffffn
  const size = estimatedSize(compressedLength(bytesFromHex(raw)))
  const scaled = l1BaseFeeScalar * l1GasPrice * 16n + l1BlobBaseFeeScalar * l1BlobBaseFee
  return {
    l1Fee: (size * scaled) / 1_000_000_000_000n,
    l1GasUsed: (size * 16n) / 1_000_000n,
    l1GasPrice,
    l1BlobBaseFee,
    l1BaseFeeScalar,
    l1BlobBaseFeeScalar,
    operatorFeeScalar,
    operatorFeeConstant,
    operatorFee: operatorFeeOf(gasUsed, operator, { extraData }),
  }
}

/** `operator`: the value of the last of `l1Slots`. */
function operatorFeeOf(gasUsed: bigint, operator: bigint, { extraData }: Pick<Header, 'extraData'>): bigint {
  const scalar = (operator >> 64n) & 0xffff_ffffn
  const constant = operator & 0xffff_ffff_ffff_ffffn
  const isJovian = extraData.length === 2 + 2 * 17
  return (isJovian ? gasUsed * scalar * 100n : (gasUsed * scalar) / 1_000_000n) + constant
}

type L1Surcharge = NonNullable<BlockContext['surcharge']>

/** The header that a surcharge was made for. */
export const headerOfSurcharge = new WeakMap<L1Surcharge, Pick<Header, 'extraData'>>()

/** What transactions of a block pay before they run: the operator's fee of all their gas, and of what they used after that. */
export function l1SurchargeOf({ extraData }: Pick<Header, 'extraData'>): L1Surcharge {
  const header = { extraData }
  const surcharge: L1Surcharge = ({ encoded, gasLimit }, read) => {
    if (encoded === undefined) return undefined
    const [price, scalars, blobPrice, operator] = l1Slots
    const charged = read(l1Block, operator)
    const slots = [read(l1Block, price), read(l1Block, scalars), read(l1Block, blobPrice), charged] as const
    const { l1Fee, operatorFee } = l1FeesOf({ raw: encoded }, gasLimit, slots, header)
    return {
      upfront: l1Fee + operatorFee,
      final: (gasUsed) => l1Fee + operatorFeeOf(gasUsed, charged, header),
    }
  }
  headerOfSurcharge.set(surcharge, header)
  return surcharge
}

/** In millionths of a byte: a regression over the length that FastLZ leaves, and no less than 100 bytes. */
function estimatedSize(length: number): bigint {
  const size = 836_500n * BigInt(length) - 42_585_600n
  return size < 100_000_000n ? 100_000_000n : size
}

const hashSize = 8192
const farthest = 8191

/** How many bytes FastLZ (level 1) makes of these: only their number is wanted. */
export function compressedLength(input: Uint8Array): number {
  const end = input.length
  const limit = end < 13 ? 0 : end - 13
  const seen = new Uint32Array(hashSize)
  const three = (at: number) =>
    (input[at] as number) | ((input[at + 1] as number) << 8) | ((input[at + 2] as number) << 16)
  const hashOf = (value: number) => (Math.imul(2_654_435_769, value) >>> 19) & (hashSize - 1)
  let length = 0
  let start = 0
  for (let at = 2; at < limit; ) {
    let found = 0
    let isMatch = false
    while (at < limit) {
      const value = three(at)
      const hash = hashOf(value)
      found = seen[hash] as number
      seen[hash] = at
      isMatch = at - found <= farthest && value === three(found)
      if (isMatch) break
      at++
    }
    // A match that begins where the input is nearly over is not taken.
    if (!isMatch || at + 1 >= limit) break
    length += literalLength(at - start)
    const matched = matchLength(input, found + 3, at + 3, limit + 9)
    length += copyLength(matched)
    at += matched
    for (let next = 0; next < 2; next++, at++) seen[hashOf(three(at))] = at
    start = at
  }
  return length + literalLength(end - start)
}

/** One byte more for each run of at most 32. */
const literalLength = (count: number) => 33 * Math.floor(count / 32) + (count % 32 === 0 ? 0 : (count % 32) + 1)

function copyLength(matched: number): number {
  const rest = matched - 1
  return 3 * Math.floor(rest / 262) + (rest % 262 >= 6 ? 3 : 2)
}

/** How far the input goes on alike from two offsets; one more where it ends in a difference. */
function matchLength(input: Uint8Array, from: number, to: number, end: number): number {
  for (let count = 0; to + count < end; count++) if (input[from + count] !== input[to + count]) return count + 1
  return end - to
}

/** As SQL stores them. */
export const encodeL1Fees = (fees: L1Fees): string =>
  JSON.stringify(Object.fromEntries(Object.entries(fees).map(([name, wei]) => [name, String(wei)])))

export function decodeL1Fees(text: string): L1Fees {
  const entries = Object.entries(JSON.parse(text) as Record<string, string>)
  return Object.fromEntries(entries.map(([name, wei]) => [name, BigInt(wei)])) as L1Fees
}
