import type { ChainContract } from './chainContract.ts'

/**
 * What reads HyperCore, from 0x800 on (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/evm/system-contract). Its input
 * has no selector.
 */
export const hyperEvmContracts: readonly ChainContract[] = [
  {
    name: 'L1Read',
    at: '0x00000000000000000000000000000000000008',
    abi: [],
    answeredBy: 'liveChain',
    gas: { base: 2000, perByte: 65, perOutputByte: 65 },
  },
]
