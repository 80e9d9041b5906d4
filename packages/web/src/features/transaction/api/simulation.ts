import { useMutation } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { RpcError } from '../../../errors/rpcError.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import type { CallFrame } from './transaction.ts'

export type SimulationInput = { from: string; to: string | null; value: bigint; input: string; block: string }
export type SimulationResult = { succeeded: boolean; output: Hex; trace: CallFrame }

/** Runs a message without keeping anything of it. */
export function useSimulation() {
  return useMutation({
    async mutationFn({ from, to, value, input, block }: SimulationInput): Promise<SimulationResult> {
      const request = { from, ...(to ? { to } : {}), value: `0x${value.toString(16)}`, data: input }
      const [trace, answer] = await Promise.all([
        rpc<CallFrame>('debug_traceCall', request, block, { tracer: 'callTracer' }),
        rpc<Hex>('eth_call', request, block).catch(revertData),
      ])
      return typeof answer === 'string'
        ? { succeeded: true, output: answer, trace }
        : { succeeded: false, output: answer.data, trace }
    },
  })
}

/** What a call that reverted returned. Throws any other error. */
function revertData(error: unknown): { data: Hex } {
  if (error instanceof RpcError && error.code === revertCode) return { data: (error.data ?? '0x') as Hex }
  throw error
}

const revertCode = 3
