import { useQuery } from '@tanstack/react-query'
import { type Abi, type Address, erc20Abi } from 'viem'
import { loadToken } from './token.ts'

/** Where an ABI is from. */
export type KnownAbi = { abi: Abi; source: string }

export const abiQuery = (address: Address) => ({
  queryKey: ['network', 'abi', address.toLowerCase()],
  queryFn: () => loadAbi(address),
})

/** The best ABI known for a contract; `null` when none is. */
export function useAbi(address: Address | null | undefined) {
  return useQuery({ ...abiQuery(address ?? '0x'), enabled: Boolean(address) })
}

async function loadAbi(address: Address): Promise<KnownAbi | null> {
  return (await loadToken(address)) ? { abi: erc20Abi, source: 'it answers as an ERC-20 token' } : null
}
