import { type Abi, type AbiFunction, type AbiParameter, type Hex, toFunctionSelector } from 'viem'

type WithComponents = AbiParameter & { components?: readonly AbiParameter[] }

export const isView = ({ stateMutability }: AbiFunction): boolean =>
  stateMutability === 'view' || stateMutability === 'pure'

export function functionsOf(abi: Abi): AbiFunction[] {
  return abi.filter((item) => item.type === 'function')
}

/** `transfer(address to, uint256 amount)` */
export function signatureOf({ name, inputs }: AbiFunction): string {
  return `${name}(${listOf(inputs)})`
}

/** `function balanceOf(address owner) view returns (uint256)` */
export function declarationOf(fn: AbiFunction): string {
  return `function ${signatureOf(fn)}${isView(fn) ? ` ${fn.stateMutability}` : ''} returns (${listOf(fn.outputs)})`
}

function listOf(parameters: readonly AbiParameter[]): string {
  return parameters.map((one) => [typeOf(one), one.name].filter(Boolean).join(' ')).join(', ')
}

function typeOf(parameter: WithComponents): string {
  if (!parameter.type.startsWith('tuple')) return parameter.type
  const inner = (parameter.components ?? []).map(typeOf).join(',')
  return `(${inner})${parameter.type.slice('tuple'.length)}`
}

export function selectorOf(fn: AbiFunction): Hex {
  return toFunctionSelector(fn)
}

const namesOf = new WeakMap<Abi, Map<string, string>>()

/** The name of the function that `input` calls, by its ABI. */
export function functionNameOf(abi: Abi, input: Hex): string | undefined {
  let names = namesOf.get(abi)
  if (!names) {
    names = new Map(functionsOf(abi).map((fn) => [selectorOf(fn), fn.name]))
    namesOf.set(abi, names)
  }
  return names.get(input.slice(0, 10))
}
