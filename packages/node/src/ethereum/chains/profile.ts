import type { FeeModel } from '../fees.ts'
import type { ChainContract } from './contracts/chainContract.ts'
import type { ProfilePrices } from './prices/chainPrices.ts'

/** The software that a chain runs on, as far as it decides how its transactions are charged and what its contracts see. */
export type Stack = 'ethereum' | 'optimism' | 'arbitrum' | 'eravm'

export type Currency = { name: string; symbol: string; decimals: number }

/** What is known of a chain before it is asked. */
export type ChainProfile = {
  chainId: number
  name: string
  currency: Currency
  stack: Stack
  fees: FeeModel
  /** Milliseconds between two blocks. */
  blockTimeMs: number | undefined
  explorer: string | undefined
  /** Set by hand: it is not asked then. */
  hardfork?: string
  /** Set by hand: they are in force whatever is measured. */
  prices?: ProfilePrices
  /** Contracts without code that are declared by hand; those that are known of the chain are in chains/contracts. */
  contracts?: readonly ChainContract[]
}

/** What a chain is that no row names: of `stack`, when its contracts show it. */
export function unknownChain(chainId: bigint, stack: Stack = 'ethereum'): ChainProfile {
  return {
    chainId: Number(chainId),
    name: `chain ${chainId}`,
    currency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    stack,
    fees: feesOfStack(stack),
    blockTimeMs: undefined,
    explorer: undefined,
  }
}

/** How the base fee of a chain of this stack moves, where the chain itself says nothing else. */
export function feesOfStack(stack: Stack): FeeModel {
  if (stack === 'optimism') return { type: 'optimism' }
  if (stack === 'arbitrum') return { type: 'steady' }
  return { type: 'eip1559', denominator: 8n, elasticity: 2n, minimum: 0n }
}
