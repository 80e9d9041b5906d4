import { useMutation } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { rpc, rpcIfKnown } from '../../../lib/rpc/rpc.ts'
import { RpcError } from '../../../lib/rpc/rpcError.ts'
import type { CallFrame } from './transaction.ts'

export type SimulationInput = { from: string; to: string | null; value: bigint; input: string; block: string }
export type SimulationResult = {
  succeeded: boolean
  output: Hex
  problem?: string
  /** `null` where the network cannot trace, or not soon. */
  trace: CallFrame | null
}

/** Runs a message without keeping anything of it. */
export function useSimulation() {
  return useMutation({
    async mutationFn({ from, to, value, input, block }: SimulationInput): Promise<SimulationResult> {
      const request = { from, ...(to ? { to } : {}), value: `0x${value.toString(16)}`, data: input }
      const trace = withinLimit(rpcIfKnown<CallFrame>('debug_traceCall', request, block, { tracer: 'callTracer' }))
      try {
        const output = await rpc<Hex>('eth_call', request, block)
        return { succeeded: true, output, trace: await trace }
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        const output = typeof error.data === 'string' ? (error.data as Hex) : '0x'
        return { succeeded: false, output, problem: error.message, trace: await trace }
      }
    },
  })
}

const limitMs = 4000

/** The answer does not wait long for its trace, nor fail with it. */
function withinLimit<T>(promise: Promise<T | null>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), limitMs))
  return Promise.race([promise.catch(() => null), late])
}
