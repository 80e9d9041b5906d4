import { type Hex, revertReason, type Word } from '@understudy/evm'
import type { AbiEvent, AbiParameter } from 'viem'
import { decodeValues, type Leaves } from '../ethereum/abi/outputValue.ts'
import { signatureOf } from '../ethereum/abi/signature.ts'
import { bytesFromHex } from '../shared/hex.ts'
import type { ContractAbi } from './contractAbi.ts'
import { knownErrors } from './knownSignatures/knownErrors.ts'
import { knownFunctions } from './knownSignatures/knownFunctions.ts'

export type DecodedValue = { name: string; type: string; value: Leaves }
export type Decoded = {
  name: string
  signature: string
  /** `undefined` if the data does not match the parameters, is truncated, or has more than 128 KB. */
  args: DecodedValue[] | undefined
  /** The parameters as the ABI has them, where one is known. */
  inputs?: readonly AbiParameter[]
}

/**
 * Decodes a call's input, possibly truncated; `undefined` if the ABI does not have the function. Without an ABI, it is a
 * function that many contracts have.
 */
export function decodeInput(abi: ContractAbi | undefined, input: Hex): Decoded | undefined {
  const item = (abi ?? knownFunctions()).functions.get(input.slice(0, 10) as Hex)
  if (!item) return undefined
  const { name, inputs } = item
  return { name, signature: signatureOf(item), args: tryDecode(inputs, `0x${input.slice(10)}`), inputs }
}

export function decodeOutput(abi: ContractAbi | undefined, selector: Hex, output: Hex): DecodedValue[] | undefined {
  const item = abi?.functions.get(selector)
  return item && tryDecode(item.outputs, output)
}

/**
 * Decodes an error of the first ABI that has it, a built-in one of Solidity, or one that many contracts use. `undefined` if
 * it has no readable reason.
 */
export function decodeRevert(
  abis: readonly (ContractAbi | undefined)[],
  output: Hex,
): (Decoded & { reason: string }) | undefined {
  for (const abi of [...abis, knownErrors()]) {
    const item = abi?.errors.get(output.slice(0, 10) as Hex)
    const args = item && tryDecode(item.inputs, `0x${output.slice(10)}`)
    if (!item || !args) continue
    const values = args.map(({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)))
    const { name, inputs } = item
    return { name, signature: signatureOf(item), args, inputs, reason: `${name}(${values.join(', ')})` }
  }
  const reason = revertReason(bytesFromHex(output))
  if (reason === undefined) return undefined
  const [name, type] = output.startsWith('0x08c379a0') ? ['Error', 'string'] : ['Panic', 'uint256']
  return { name, signature: `${name}(${type})`, args: tryDecode([{ type }], `0x${output.slice(10)}`) ?? [], reason }
}

/** Decodes an event with the first matching ABI. */
export function decodeEvent(
  abis: readonly (ContractAbi | undefined)[],
  log: { topics: readonly Word[]; data: Hex },
): Decoded | undefined {
  const [topic, ...indexed] = log.topics
  if (topic === undefined) return undefined
  for (const abi of abis)
    for (const item of abi?.events.get(topic) ?? []) {
      const args = decodeLog(item, indexed, log.data)
      if (args) return { name: item.name, signature: signatureOf(item), args, inputs: item.inputs }
    }
  return undefined
}

/** The constructor arguments: what follows the code in creation input. */
export function decodeConstructorArgs(abi: ContractAbi, encoded: Hex): DecodedValue[] | undefined {
  return tryDecode(abi.constructorItem?.inputs ?? [], encoded)
}

function decodeLog(item: AbiEvent, indexed: readonly Word[], data: Hex): DecodedValue[] | undefined {
  const inTopics = item.inputs.filter((input) => input.indexed)
  if (inTopics.length !== indexed.length) return undefined
  const inData = tryDecode(
    item.inputs.filter((input) => !input.indexed),
    data,
  )
  if (!inData) return undefined
  const fromTopics = inTopics.map((input, index) => {
    const word = indexed[index] ?? '0x'
    // For dynamic types, the topic is a hash.
    const [decoded] = isWord(input) ? (tryDecode([input], word) ?? []) : []
    return decoded ?? { name: input.name ?? '', type: input.type, value: word }
  })
  return item.inputs.map((input) => {
    const next = (input.indexed ? fromTopics : inData).shift()
    return next ?? { name: input.name ?? '', type: input.type, value: '' }
  })
}

const isWord = ({ type }: AbiParameter) => /^(address|bool|u?int\d*|bytes\d+)$/.test(type)

/** Most bytes that are decoded: pools take transactions up to this size. More would keep others waiting. */
const decodedBytesLimit = 131_072

function tryDecode(parameters: readonly AbiParameter[], data: Hex): DecodedValue[] | undefined {
  if (data.length > 2 + 2 * decodedBytesLimit) return undefined
  try {
    const values = decodeValues(parameters, data)
    return parameters.map(({ name = '', type }, index) => ({ name, type, value: values[index] ?? '' }))
  } catch {
    return undefined
  }
}
