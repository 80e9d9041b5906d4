import {
  type Abi,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  erc20Abi,
  erc721Abi,
  type Hex,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { type NamedValue, nameValues } from './value.ts'

export type Decoded = { name: string; values: NamedValue[] }

/** Decodes a call by the first ABI that has its function; `undefined` when none has. */
export function decodeCall(abis: readonly Abi[], data: Hex): Decoded | undefined {
  for (const abi of abis) {
    try {
      const { functionName, args } = decodeFunctionData({ abi, data })
      const item = abi.find((one) => one.type === 'function' && toFunctionSelector(one) === data.slice(0, 10))
      if (item?.type !== 'function') continue
      return { name: functionName, values: nameValues(item.inputs, item.inputs.length === 1 ? args?.[0] : args) }
    } catch {
      // Tries the next ABI.
    }
  }
  return undefined
}

/** Decodes what a call returned by the first ABI that has its function; `undefined` when none has. */
export function decodeOutput(abis: readonly Abi[], input: Hex, output: Hex): NamedValue[] | undefined {
  for (const abi of abis) {
    const item = abi.find((one) => one.type === 'function' && toFunctionSelector(one) === input.slice(0, 10))
    if (item?.type !== 'function') continue
    try {
      return nameValues(item.outputs, decodeFunctionResult({ abi: [item], data: output }))
    } catch {
      // Not what this ABI describes.
    }
  }
  return undefined
}

/** What functions of tokens return as amounts, without a name. */
const amountFunctions = new Set(['balanceOf', 'totalSupply', 'allowance'])

/** What a function returned, with amounts of a token named so. */
export function amountsOf(name: string | undefined, values: readonly NamedValue[]): readonly NamedValue[] {
  return name && amountFunctions.has(name) ? values.map((value) => ({ ...value, name: 'amount' })) : values
}

const tokenItems: ReadonlySet<string> = new Set(erc20Abi.map(({ name }) => name))

/** Whether the amounts of a function or an event are in the unit of the token that has it: those of a pool's `swap` are not. */
export const isOfToken = (name: string | undefined): boolean => name !== undefined && tokenItems.has(name)

export function decodeLog(
  abis: readonly Abi[],
  { topics, data }: { topics: readonly Hex[]; data: Hex },
): Decoded | undefined {
  for (const abi of abis) {
    try {
      const item = abi.find((one) => one.type === 'event' && toEventSelector(one) === topics[0])
      if (item?.type !== 'event') continue
      const { eventName, args } = decodeEventLog({ abi: [item], topics: topics as [Hex, ...Hex[]], data })
      const byName = args as unknown as Record<string, unknown> | readonly unknown[] | undefined
      const values = item.inputs.map(({ name, type }, index) => ({
        name: name || `${index}`,
        type,
        value: Array.isArray(byName) ? byName[index] : (byName as Record<string, unknown> | undefined)?.[name ?? ''],
      }))
      return { name: eventName ?? '', values }
    } catch {
      // ERC-20 and ERC-721 share topics and differ in what is indexed.
    }
  }
  return undefined
}

/** The reason of a revert. */
export function decodeRevert(abis: readonly Abi[], data: Hex): string {
  if (data.length < 10) return 'no reason given'
  for (const abi of [...abis, []]) {
    try {
      const { errorName, args } = decodeErrorResult({ abi, data })
      if (errorName === 'Error') return String(args?.[0])
      if (errorName === 'Panic') return `panic ${args?.[0]}`
      return `${errorName}(${(args ?? []).map(String).join(', ')})`
    } catch {
      // Not an error of this ABI.
    }
  }
  return data
}

/** The ABIs of common token standards. */
export const commonAbis: readonly Abi[] = [erc20Abi, erc721Abi]
