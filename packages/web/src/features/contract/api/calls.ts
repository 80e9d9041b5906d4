import { useMutation, useQuery } from '@tanstack/react-query'
import { type Abi, type AbiFunction, type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { decodeRevert } from '../../../lib/abi/decode.ts'
import { type NamedValue, nameValues } from '../../../lib/abi/value.ts'
import { refreshAll } from '../../../lib/rpc/queryClient.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { RpcError } from '../../../lib/rpc/rpcError.ts'

/** Who may send here without a signature: the funded accounts and the impersonated ones. */
export function useSenders() {
  return useQuery({
    queryKey: ['head', 'senders'],
    async queryFn() {
      const [funded, impersonated] = await Promise.all([
        rpc<Address[]>('eth_accounts'),
        rpc('dev_getImpersonatedAccounts'),
      ])
      return { funded, impersonated }
    },
  })
}

export type Call = { address: Address; abi: Abi; fn: AbiFunction; args: readonly unknown[] }

/** Asks a function and decodes its answer. */
export function useRead() {
  return useMutation({
    async mutationFn({ address, abi, fn, args }: Call): Promise<NamedValue[]> {
      const data = await explained(abi, rpc<Hex>('eth_call', { to: address, data: encode(fn, args) }, 'latest'))
      if (data === '0x' && fn.outputs.length > 0)
        throw new Error('It answered nothing: there may be no code at this address')
      return nameValues(fn.outputs, decodeFunctionResult({ abi: [fn], data, args: [...args] } as never))
    },
  })
}

export type Write = Call & { from: Address; value: bigint; impersonate: boolean }

/** Sends a transaction that calls a function, and answers its hash. */
export function useWrite() {
  return useMutation({
    async mutationFn({ address, abi, fn, args, from, value, impersonate }: Write): Promise<Hex> {
      if (impersonate) await rpc('dev_impersonateAccount', from)
      const request = { from, to: address, data: encode(fn, args), value: `0x${value.toString(16)}` }
      // Says why it would revert before anything is sent.
      const gas = await explained(abi, rpc<Hex>('eth_estimateGas', request))
      return rpc<Hex>('eth_sendTransaction', { ...request, gas })
    },
    onSuccess: () => refreshAll(),
  })
}

function encode(fn: AbiFunction, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: [fn], args } as never)
}

/** An answer, or the reason of its revert in the words of the contract. */
async function explained<T>(abi: Abi, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RpcError && typeof error.data === 'string')
      throw new Error(`It reverts: ${decodeRevert([abi], error.data as Hex)}`, { cause: error })
    throw error
  }
}
