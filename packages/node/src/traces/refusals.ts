import { type CallFrame, isCreation } from '@understudy/evm'
import { type AbiParameter, decodeAbiParameters, encodeAbiParameters } from 'viem'
import type { KnownContract } from '../contracts/knownContracts.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'

/**
 * `function`: the name of the one that was not entered, if there is one. `isCertain`: the contract refuses all such calls, wherever
 * its map says that this one failed.
 */
export type Refusal = { reason: string; function?: string; isCertain: boolean }

/** Why a contract refused a call before a function of it ran. `code`: the one that ran. `isYul`: it was made through Yul. */
export function refusalOf(
  frame: CallFrame,
  contract: KnownContract,
  { code, isYul }: { code: Uint8Array; isYul: boolean },
): Refusal | undefined {
  const { input, value } = frame
  const { abi, name = 'the contract' } = contract
  const isPayable = (item: { stateMutability?: string } | undefined) => item?.stateMutability === 'payable'
  if (isCreation(frame))
    return value > 0n && !isPayable(abi.constructorItem)
      ? { reason: 'the constructor is not payable', function: 'constructor', isCertain: true }
      : undefined
  const selector = hexFromBytes(input.subarray(0, 4))
  const item = abi.functions.get(selector)
  const isLibrary = isLibraryAt(frame, code)
  // Functions of libraries take any value, and a library cannot tell how it was called.
  const isCertain = !isLibrary
  if (isLibrary && item?.stateMutability !== 'view' && item?.stateMutability !== 'pure')
    return { reason: `the library ${name} was called directly`, isCertain }
  if (item) {
    const { name: function_, inputs } = item
    if (value > 0n && !isPayable(item)) return { reason: `${function_} is not payable`, function: function_, isCertain }
    if (matches(inputs, input.subarray(4))) return undefined
    const reason = `${function_} was called with arguments that its parameters do not allow`
    // Code that was not made through Yul may ignore what does not fit into a type.
    return { reason, function: function_, isCertain: isCertain && (isYul || input.length < 4 + 32 * inputs.length) }
  }
  const [fallback, receive] = (['fallback', 'receive'] as const).map((type) =>
    abi.items.find((one) => one.type === type),
  )
  if (input.length === 0 && receive) return undefined
  if (fallback) {
    if (value === 0n || isPayable(fallback as { stateMutability?: string })) return undefined
    const reason = 'the fallback function is not payable'
    return {
      reason: input.length > 0 ? reason : `${name} has no receive function, and ${reason}`,
      function: 'fallback',
      isCertain,
    }
  }
  if (input.length === 0) return { reason: `${name} has no receive function`, isCertain }
  const reason = `${name} has no function with the selector ${selector}, and no fallback function`
  // The ABI may lack it.
  return { reason, isCertain: isCertain && !hexFromBytes(code).includes(selector.slice(2)) }
}

/** Libraries begin with their address, which they compare to that of the account whose state they would change. */
function isLibraryAt({ to }: CallFrame, code: Uint8Array): boolean {
  return hexFromBytes(code.subarray(0, 64)).includes(`73${to.slice(2)}`)
}

/** Whether data are arguments that Solidity takes. */
function matches(parameters: readonly AbiParameter[], data: Uint8Array): boolean {
  if (parameters.length === 0) return true
  try {
    const hex = hexFromBytes(data)
    const encoded = encodeAbiParameters(parameters, decodeAbiParameters(parameters, hex))
    // Data of dynamic length can be laid out in several ways.
    const isStatic = bytesFromHex(encoded).length === 32 * parameters.length
    return !isStatic || hex.startsWith(encoded)
  } catch {
    return false
  }
}
