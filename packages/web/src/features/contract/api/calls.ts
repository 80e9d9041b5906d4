import { useMutation } from '@tanstack/react-query'
import {
  type Abi,
  type AbiFunction,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
} from 'viem'
import { RpcError } from '../../../errors/rpcError.ts'
import { decodeRevert } from '../../../lib/abi/decode.ts'
import { type NamedValue, nameValues } from '../../../lib/abi/value.ts'
import { refreshAll } from '../../../lib/rpc/queryClient.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { sendTransaction } from '../../../lib/state/send.ts'

export type Call = { address: Address; abi: Abi; fn: AbiFunction; args: readonly unknown[] }

/** What a function returns; `real`: what it returns without function overrides, if that differs. */
export type Answer = { values: NamedValue[]; real: NamedValue[] | undefined }

/** Calls a function and decodes its return value. */
export function useRead() {
  return useMutation({
    async mutationFn({ address, abi, fn, args }: Call): Promise<Answer> {
      const call = { to: address, data: encode(fn, args) }
      const valuesFrom = (data: Hex) =>
        nameValues(fn.outputs, decodeFunctionResult({ abi: [fn], data, args: [...args] } as never))
      const [data, own] = await Promise.all([
        explained(abi, rpc<Hex>('eth_call', call, 'latest')),
        rpc('dev_callWithoutOverrides', call, 'latest').catch(() => undefined),
      ])
      if (data === '0x' && fn.outputs.length > 0) throw new Error('No return data. This address may have no code.')
      // An address without code returns nothing of its own.
      const real = own === undefined || own === data ? undefined : own === '0x' ? [] : valuesFrom(own)
      return { values: valuesFrom(data), real }
    },
  })
}

export type Write = Call & { from: Address; value: bigint }

/** Sends a transaction that calls a function. Returns its hash. */
export function useWrite() {
  return useMutation({
    async mutationFn({ address, abi, fn, args, from, value }: Write): Promise<Hex> {
      const request = { from, to: address, data: encode(fn, args), value: numberToHex(value) }
      // Reports a revert before anything is sent.
      const gas = await explained(abi, rpc<Hex>('eth_estimateGas', request))
      return sendTransaction({ ...request, gas })
    },
    onSuccess: () => refreshAll(),
  })
}

function encode(fn: AbiFunction, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: [fn], args } as never)
}

/** Replaces the error of a revert by its decoded reason. */
async function explained<T>(abi: Abi, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RpcError && typeof error.data === 'string')
      throw new Error(`Reverted: ${decodeRevert([abi], error.data as Hex)}`, { cause: error })
    throw error
  }
}
