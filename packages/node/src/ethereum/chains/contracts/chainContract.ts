import type { Hex } from '@understudy/evm'
import { type Abi, parseAbi } from 'viem'
import { keccak } from '../../../shared/keccak.ts'
import { signatureOf } from '../../abi/signature.ts'

/** What answers by the state of the network; see chainContracts.ts. */
export type HandlerName = 'arbSys' | 'arbInfo' | 'b20Token' | 'bnbTime' | 'celoTransfer'

/** A contract of a chain that has no code, or contracts whose addresses begin in the same way. */
export type ChainContract = {
  name: string
  /** The address, or the bytes with which the addresses begin. */
  at: Hex
  /** As JSON, or as lines of Solidity. What only reads is a view, whatever Solidity calls it. */
  abi: Abi | readonly string[]
  /**
   * `liveChain`: the live chain answers views at the base, and what writes is refused. `refused`: nothing is answered. A
   * handler answers what depends on the network's own state, and the live chain other views.
   */
  answeredBy: 'liveChain' | 'refused' | HandlerName
  /** It takes neither STATICCALL nor DELEGATECALL. */
  takesCallsOnly?: true
  /** A function of its input alone, without selectors, which the live chain answers for this gas. */
  gas?: InputGas | undefined
  /** The time of the first block that has it, in seconds; by default, all have it. */
  since?: number
}

/** What a call costs by its input: `perItem` for each item of so many bytes after the first ones. */
export type InputGas = {
  base: number
  perByte?: number
  perOutputByte?: number
  perItem?: { gas: number; bytes: number; after: number }
}

export function gasOfInput(
  { base, perByte = 0, perOutputByte = 0, perItem }: InputGas,
  length: number,
  outputLength: number,
): bigint {
  const items = perItem ? Math.max(0, Math.floor((length - perItem.after) / perItem.bytes)) : 0
  return BigInt(base + perByte * length + perOutputByte * outputLength + items * (perItem?.gas ?? 0))
}

type Function = { signature: string; isView: boolean }
/** A contract with its functions by their selectors, which are hex without a prefix. */
export type CompiledContract = { contract: ChainContract; abi: Abi; functions: ReadonlyMap<string, Function> }

export function compiledContract(contract: ChainContract): CompiledContract {
  const abi = abiOf(contract)
  const functions = new Map<string, Function>()
  for (const item of abi) {
    if (item.type !== 'function') continue
    const signature = signatureOf(item)
    const isView = item.stateMutability === 'view' || item.stateMutability === 'pure'
    functions.set(keccak(Buffer.from(signature)).slice(2, 10), { signature, isView })
  }
  return { contract, abi, functions }
}

function abiOf({ abi }: ChainContract): Abi {
  const [first] = abi
  return typeof first === 'string' ? (parseAbi(abi as readonly string[]) as Abi) : (abi as Abi)
}
