import { useMutation } from '@tanstack/react-query'
import type { Abi, Address, Hex } from 'viem'
import { RpcError } from '../../../errors/rpcError.ts'
import { decodeOutput, decodeRevert } from '../../../lib/abi/decode.ts'
import type { NamedValue } from '../../../lib/abi/value.ts'
import { loadAbi } from '../../../lib/contracts/abi.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import type { CallFrame } from './transaction.ts'

export type SimulationInput = { from: string; to: string | null; value: bigint; input: string; block: string }
export type SimulationResult = {
  succeeded: boolean
  output: Hex
  trace: CallFrame
  /** Why it failed, by the ABIs of the contracts that failed. */
  reason: string | undefined
  /** What it returned; `undefined` if the function is unknown. */
  values: NamedValue[] | undefined
}

/** Runs a message without keeping anything of it. */
export function useSimulation() {
  return useMutation({
    async mutationFn({ from, to, value, input, block }: SimulationInput): Promise<SimulationResult> {
      const request = { from, ...(to ? { to } : {}), value: `0x${value.toString(16)}`, data: input }
      const [trace, answer] = await Promise.all([
        rpc<CallFrame>('debug_traceCall', request, block, { tracer: 'callTracer' }),
        rpc<Hex>('eth_call', request, block).catch(revertData),
      ])
      const succeeded = typeof answer === 'string'
      const output = succeeded ? answer : answer.data
      const abis = await loadAbis(succeeded ? (to ? [to as Address] : []) : failedContracts(trace))
      return {
        succeeded,
        output,
        trace,
        reason: succeeded ? undefined : decodeRevert(abis, output),
        values: succeeded ? decodeOutput(abis, input as Hex, output) : undefined,
      }
    },
  })
}

async function loadAbis(addresses: readonly Address[]): Promise<Abi[]> {
  const known = await Promise.all(addresses.map((address) => loadAbi(address).catch(() => null)))
  return known.flatMap((one) => (one ? [one.abi] : []))
}

/** The contracts that passed a failure on, the first one last: its error is often not in the ABI of its caller. */
function failedContracts(frame: CallFrame): Address[] {
  if (!frame.error) return []
  const inner = (frame.calls ?? []).flatMap(failedContracts)
  return [...new Set([...(frame.to ? [frame.to] : []), ...inner])]
}

/** What a call that reverted returned. Throws any other error. */
function revertData(error: unknown): { data: Hex } {
  if (error instanceof RpcError && error.code === revertCode) return { data: (error.data ?? '0x') as Hex }
  throw error
}

const revertCode = 3
