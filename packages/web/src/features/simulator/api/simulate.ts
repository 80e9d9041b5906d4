import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type Abi,
  type Address,
  formatEther,
  type Hex,
  hexToNumber,
  numberToHex,
  type RpcTransaction,
  zeroHash,
} from 'viem'
import { commonAbis, type Decoded, decodeLog, decodeOutput, decodeRevert } from '../../../lib/abi/decode.ts'
import type { NamedValue } from '../../../lib/abi/value.ts'
import type { CallFrame, StateDiff } from '../../../lib/chain/trace.ts'
import { loadAbi } from '../../../lib/contracts/abi.ts'
import { loadArgumentUnits } from '../../../lib/contracts/argumentUnits.ts'
import { refreshAll } from '../../../lib/rpc/queryClient.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { emptyCall, emptyScenario, type Scenario } from '../../../lib/simulation/scenario.ts'
import { sendTransaction } from '../../../lib/state/send.ts'
import {
  type BlockOverrides,
  type CallRequest,
  requestFrom,
  type SimulationRequest,
  type StateOverrides,
} from './request.ts'
import { type TokenChange, tokenChanges } from './tokenChanges.ts'

export type SimulatedLog = { address: Address; topics: readonly Hex[]; data: Hex }
export type CallResult = {
  request: CallRequest
  succeeded: boolean
  gasUsed: bigint
  output: Hex
  /** Why it failed, by the ABIs of the contracts that failed. */
  reason: string | undefined
  /** What it returned; `undefined` if the function is unknown. */
  values: NamedValue[] | undefined
  logs: { log: SimulatedLog; event: Decoded | undefined }[]
  tokens: TokenChange[]
  trace: CallFrame
  diff: StateDiff
  /** What it ran on. */
  run: SimulatedRun
}
/**
 * A call with the state and the header that it ran on: `stateOverrides` has what the calls before it changed, `plainHeader`
 * nothing that was asked for.
 */
export type SimulatedRun = {
  call: CallRequest
  block: string
  stateOverrides: StateOverrides
  blockOverrides: BlockOverrides
  plainHeader: BlockOverrides
}
export type SimulationResult = { request: SimulationRequest; block: number; calls: CallResult[] }

type SimulatedCall = {
  status: Hex
  gasUsed: Hex
  returnData: Hex
  logs: SimulatedLog[]
  error?: { message: string; data?: Hex }
}
type SimulatedBlock = {
  number: Hex
  timestamp: Hex
  baseFeePerGas?: Hex
  miner: Hex
  gasLimit: Hex
  mixHash: Hex
  calls: SimulatedCall[]
}

/** Runs calls in turn, each on the result of the one before. Stores nothing. */
export function useSimulation() {
  return useMutation({
    async mutationFn(scenario: Scenario): Promise<SimulationResult> {
      const request = await requestFrom(scenario, async (address) => (await loadAbi(address))?.abi, loadArgumentUnits)
      const { calls, block: at, stateOverrides, blockOverrides } = request
      const [block] = await rpc<SimulatedBlock[]>(
        'eth_simulateV1',
        { blockStateCalls: [{ blockOverrides, stateOverrides, calls }] },
        at,
      )
      if (!block || block.calls.length !== calls.length) throw new Error('The network returned no result')
      const traces = await traceCalls(request, block)
      const results = block.calls.map((call, index) =>
        resultOf(calls[index] as CallRequest, call, traces[index] as Traced),
      )
      return { request, block: hexToNumber(block.number), calls: await Promise.all(results) }
    },
  })
}

type Traced = { trace: CallFrame; diff: StateDiff; run: SimulatedRun }

/** Traces each call in the simulated block, on what the calls before it changed. */
async function traceCalls(
  { calls, block, stateOverrides, blockOverrides: asked }: SimulationRequest,
  header: SimulatedBlock,
): Promise<Traced[]> {
  const blockOverrides = {
    number: header.number,
    time: header.timestamp,
    gasLimit: header.gasLimit,
    feeRecipient: header.miner,
    prevRandao: header.mixHash,
    ...(header.baseFeePerGas && { baseFeePerGas: header.baseFeePerGas }),
  }
  const plainHeader = Object.fromEntries(Object.entries(blockOverrides).filter(([field]) => !(field in asked)))
  const traced: Traced[] = []
  let state = stateOverrides
  for (const call of calls) {
    const overrides = { stateOverrides: state, blockOverrides }
    const [trace, diff] = await Promise.all([
      rpc<CallFrame>('debug_traceCall', call, block, { tracer: 'callTracer', ...overrides }),
      rpc<StateDiff>('debug_traceCall', call, block, {
        tracer: 'prestateTracer',
        tracerConfig: { diffMode: true },
        ...overrides,
      }),
    ])
    traced.push({ trace, diff, run: { call, block, plainHeader, ...overrides } })
    state = withDiff(state, diff)
  }
  return traced
}

/** The overrides that also hold what a call changed. */
export function withDiff(overrides: StateOverrides, { pre, post }: StateDiff): StateOverrides {
  const result = { ...overrides }
  for (const address of new Set([...Object.keys(pre), ...Object.keys(post)]) as Set<Hex>) {
    const key = (Object.keys(result).find((one) => one.toLowerCase() === address) ?? address) as Hex
    const { balance, nonce, code, storage } = post[address] ?? { balance: '0x0', nonce: 0, code: '0x' }
    // A slot that was set to 0 is in the state before only.
    const cleared = Object.keys(pre[address]?.storage ?? {}).map((slot) => [slot, zeroHash])
    const slots = { ...result[key]?.stateDiff, ...Object.fromEntries(cleared), ...storage }
    result[key] = {
      ...result[key],
      ...(balance !== undefined && { balance }),
      ...(nonce !== undefined && { nonce: numberToHex(nonce) }),
      ...(code !== undefined && { code }),
      ...(Object.keys(slots).length > 0 && { stateDiff: slots }),
    }
  }
  return result
}

async function resultOf(request: CallRequest, call: SimulatedCall, { trace, diff, run }: Traced): Promise<CallResult> {
  const succeeded = call.status === '0x1'
  const output = succeeded ? call.returnData : (call.error?.data ?? call.returnData)
  const emitters = [...new Set(call.logs.map(({ address }) => address))].slice(0, 20)
  const concerned = succeeded ? [...(request.to ? [request.to] : []), ...emitters] : failedContracts(trace)
  const abis = await loadAbis(concerned)
  return {
    request,
    succeeded,
    gasUsed: BigInt(call.gasUsed),
    output,
    reason: succeeded ? undefined : output.length >= 10 ? decodeRevert(abis, output) : call.error?.message,
    values: succeeded ? decodeOutput(abis, request.data, output) : undefined,
    logs: call.logs.map((log) => ({ log, event: decodeLog([...abis, ...commonAbis], log) })),
    tokens: tokenChanges(call.logs),
    trace,
    diff,
    run,
  }
}

async function loadAbis(addresses: readonly Address[]): Promise<Abi[]> {
  const known = await Promise.all([...new Set(addresses)].map((address) => loadAbi(address).catch(() => null)))
  return known.flatMap((one) => (one ? [one.abi] : []))
}

/** The contracts that passed a failure on, the first one last: its error is often not in the ABI of its caller. */
function failedContracts(frame: CallFrame): Address[] {
  if (!frame.error) return []
  const inner = (frame.calls ?? []).flatMap(failedContracts)
  return [...new Set([...(frame.to ? [frame.to] : []), ...inner])]
}

/** A block's limit on the gas of one transaction since Osaka. */
const gasCap = 16_777_216n

/** Calls that were sent, in turn, and why the next one was not. */
export type Sent = { hashes: readonly Hex[]; failure?: unknown }

/** Sends simulated calls as transactions, in turn, also those that fail, after those that `before` has. Overrides do not apply. */
export function useSend() {
  return useMutation({
    async mutationFn({ calls, before }: { calls: SimulationResult['calls']; before: readonly Hex[] }): Promise<Sent> {
      const hashes = [...before]
      try {
        for (const { request, gasUsed } of calls.slice(before.length)) {
          const gas = 2n * gasUsed + 50_000n
          hashes.push(await sendTransaction({ ...request, gas: numberToHex(gas < gasCap ? gas : gasCap) }))
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
