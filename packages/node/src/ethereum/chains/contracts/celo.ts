import type { Address, ContractAnswer, ContractCall, ContractState } from '@understudy/evm'
import { addressFromNumber } from '../../../shared/hex.ts'
import type { ChainContract } from './chainContract.ts'

/** The token of CELO, which alone may call the contract. */
const token: Address = '0x471ece3750da237f93b8e339c536989b8978a438'
const transferGas = 9_000n

/**
 * Moves CELO, which is the chain's ether: of what account, to what account, and how much, in three words
 * (https://docs.celo.org/specs/token-duality).
 */
export function celoTransfer(
  { caller, input, value, isStatic, isDelegated }: ContractCall,
  state: ContractState,
): ContractAnswer {
  const word = (index: number) =>
    BigInt(`0x${Buffer.from(input.subarray(32 * index, 32 * index + 32)).toString('hex')}`)
  const isRefused = caller !== token || input.length !== 96 || value > 0n || isStatic || isDelegated
  const isDone = !isRefused && state.transfer(addressFromNumber(word(0)), addressFromNumber(word(1)), word(2))
  return { gas: transferGas, output: new Uint8Array(), ...(!isDone && { isFailed: true }) }
}

export const celoContracts: readonly ChainContract[] = [
  { name: 'Transfer', at: addressFromNumber(0xfd), abi: [], answeredBy: 'celoTransfer' },
]
