import type { SimulatedCall, Simulation } from '@understudy/client/simulations'
import { type Hex, toHex } from 'viem'
import type { BlockOverrides, CallRequest, SimulationRequest, StateOverrides } from './request.ts'

/** A call with what it ran on: `stateOverrides` also has what the calls before it changed. */
export type SimulatedRun = {
  call: CallRequest
  block: string
  stateOverrides: StateOverrides
  blockOverrides: BlockOverrides
}

/** Each call as a run of its own, which finds what it found in the simulation. */
export function runsOf(request: SimulationRequest, { results }: Simulation): SimulatedRun[] {
  const { calls, block, blockOverrides } = request
  let { stateOverrides } = request
  return results.flatMap(({ stateChanges }, index) => {
    const call = calls[index]
    if (!call) return []
    const run = { call, block, stateOverrides, blockOverrides }
    stateOverrides = withChanges(stateOverrides, stateChanges)
    return [run]
  })
}

/** The overrides that also hold what a call changed. */
function withChanges(overrides: StateOverrides, changes: SimulatedCall['stateChanges']): StateOverrides {
  const result = { ...overrides }
  for (const { address, nonce, balance, code, storage } of changes) {
    const key = (Object.keys(result).find((one) => one.toLowerCase() === address) ?? address) as Hex
    const slots = Object.fromEntries(storage.map(({ slot, after }) => [slot, after]))
    const stateDiff = { ...result[key]?.stateDiff, ...slots }
    result[key] = {
      ...result[key],
      ...(balance && { balance: toHex(BigInt(balance.after)) }),
      ...(nonce && { nonce: toHex(BigInt(nonce.after)) }),
      ...(code && { code: code.after }),
      ...(Object.keys(stateDiff).length > 0 && { stateDiff }),
    }
  }
  return result
}
