import { useMutation, useQuery } from '@tanstack/react-query'
import type { Simulation } from '@understudy/client/simulations'
import { formatEther, type Hex, numberToHex, type RpcTransaction } from 'viem'
import { loadAbi } from '../../../lib/contracts/abi.ts'
import { loadArgumentUnits } from '../../../lib/contracts/argumentUnits.ts'
import { refreshAll } from '../../../lib/rpc/queryClient.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { emptyCall, emptyScenario, type Scenario } from '../../../lib/simulation/scenario.ts'
import { sendTransaction } from '../../../lib/state/send.ts'
import { requestFrom, type SimulationRequest } from './request.ts'

/** What was asked, and what the calls did. */
export type SimulationResult = { request: SimulationRequest; simulation: Simulation }

/** Runs calls in turn, each on the result of the one before. Stores nothing. */
export function useSimulation() {
  return useMutation({
    async mutationFn(scenario: Scenario): Promise<SimulationResult> {
      const request = await requestFrom(scenario, async (address) => (await loadAbi(address))?.abi, loadArgumentUnits)
      return { request, simulation: await rpc('dev_simulate', request) }
    },
  })
}

/** A block's limit on the gas of one transaction since Osaka. */
const gasCap = 16_777_216n

/** Calls that were sent, in turn, and why the next one was not. */
export type Sent = { hashes: readonly Hex[]; failure?: unknown }

/** Sends simulated calls as transactions, in turn, also those that fail, after those that `before` has. Overrides do not apply. */
export function useSend() {
  return useMutation({
    async mutationFn({ result, before }: { result: SimulationResult; before: readonly Hex[] }): Promise<Sent> {
      const hashes = [...before]
      const { request, simulation } = result
      try {
        for (const [index, call] of request.calls.entries()) {
          if (index < before.length) continue
          const gas = 2n * BigInt(simulation.results[index]?.gasUsed ?? gasCap) + 50_000n
          hashes.push(await sendTransaction({ ...call, gas: numberToHex(gas < gasCap ? gas : gasCap) }))
        }
        return { hashes }
      } catch (failure) {
        return { hashes, failure }
      }
    },
    onSettled: () => refreshAll(),
  })
}

/** The scenario that runs a transaction again, on the state before its block; `null` if there is no such transaction. */
export function useScenarioOf(hash: string | undefined) {
  return useQuery({
    queryKey: ['fixed', 'scenarioOf', hash],
    enabled: hash !== undefined,
    async queryFn(): Promise<Scenario | null> {
      const raw = await rpc<RpcTransaction | null>('eth_getTransactionByHash', hash)
      if (!raw) return null
      const call = {
        ...emptyCall,
        from: raw.from,
        to: raw.to ?? '',
        value: formatEther(BigInt(raw.value)),
        data: raw.input,
      }
      const block = raw.blockNumber ? String(BigInt(raw.blockNumber) - 1n) : 'latest'
      return { ...emptyScenario, calls: [call], block }
    },
  })
}
