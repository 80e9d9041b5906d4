import { useQuery } from '@tanstack/react-query'
import { type Address, decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { rpc } from '../rpc/rpc.ts'

export type Token = { address: Address; name: string; symbol: string; decimals: number }

/** The token at an address; `null` when it is not a token. */
export async function loadToken(address: Address): Promise<Token | null> {
  try {
    const [symbol, name, decimals] = await Promise.all([
      readToken(address, 'symbol'),
      readToken(address, 'name'),
      readToken(address, 'decimals').catch(() => 0),
    ])
    return { address, name: String(name), symbol: String(symbol), decimals: Number(decimals) }
  } catch {
    return null
  }
}

async function readToken(address: Address, functionName: 'symbol' | 'name' | 'decimals'): Promise<string | number> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName })
  const answer = await rpc<Hex>('eth_call', { to: address, data }, 'latest')
  return decodeFunctionResult({ abi: erc20Abi, functionName, data: answer })
}

export const tokenQuery = (address: Address) => ({
  queryKey: ['network', 'token', address.toLowerCase()],
  queryFn: () => loadToken(address),
})

export function useToken(address: Address | undefined) {
  return useQuery({ ...tokenQuery(address ?? '0x'), enabled: address !== undefined })
}
