import type { Address, ContractAnswer, ContractCall, Hex } from '@understudy/evm'
import { addressFromNumber, bytesFromHex, wordFromBigint } from '../../../shared/hex.ts'

/** What contracts without code tell of the block that they run in. */
export type ContractBlock = { number: bigint; timestamp: bigint; chainId: bigint; mixHash: Hex }

/** Gas of opening the contract's state, and of a word that is copied in or out (nitro's precompiles/precompile.go). */
const openState = 800n
const copyWord = 3n

/** An answer with its gas: `more` is for what the method does beside reading. */
export function answerOf(
  { input }: ContractCall,
  answer: Omit<ContractAnswer, 'gas'>,
  { more = 0n, isPure = false }: { more?: bigint; isPure?: boolean } = {},
): ContractAnswer {
  const copied = wordsOf(Math.max(0, input.length - 4)) + wordsOf(answer.output.length)
  return { ...answer, gas: copyWord * copied + (isPure ? 0n : openState) + more }
}

/** A revert without a reason. */
export const revertOf = (call: ContractCall): ContractAnswer =>
  answerOf(call, { output: new Uint8Array(), isReverted: true })

/** A revert with a text, as `require` in Solidity makes it. */
export function revertWith(call: ContractCall, text: string): ContractAnswer {
  const bytes = Buffer.from(text)
  const output = Buffer.concat([bytesFromHex('0x08c379a0'), words(32n, BigInt(bytes.length)), paddedBytes(bytes)])
  return answerOf(call, { output, isReverted: true })
}

export const wordsOf = (length: number) => BigInt(Math.ceil(length / 32))

/** The selector of a call, as hex without a prefix. */
export const selectorOf = ({ input }: ContractCall): string => Buffer.from(input.subarray(0, 4)).toString('hex')

/** Bytes, with zeros up to a whole word. */
export function paddedBytes(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Number(wordsOf(bytes.length)) * 32)
  padded.set(bytes)
  return padded
}

export const words = (...values: bigint[]): Uint8Array =>
  Buffer.from(values.map((value) => wordFromBigint(value).slice(2)).join(''), 'hex')

/** The argument at an index. What is not there reads as zero. */
export function wordAt(input: Uint8Array, index: number): bigint {
  const bytes = input.subarray(4 + 32 * index, 36 + 32 * index)
  return BigInt(`0x${Buffer.from(bytes).toString('hex').padEnd(64, '0')}`)
}

export const addressAt = (input: Uint8Array, index: number): Address => addressFromNumber(wordAt(input, index))
