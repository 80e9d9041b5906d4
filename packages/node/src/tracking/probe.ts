import type { RecordTrigger } from '@understudy/client/methods'
import type { Address, Hex, Word } from '@understudy/evm'
import type { AbiParameter } from 'viem'
import { encodeValues, parseJsonArguments } from '../ethereum/abi/encodeValues.ts'
import { type FunctionAbi, parseFunctionAbi } from '../ethereum/abi/functionAbi.ts'
import { type OutputPath, resolveOutputPath } from '../ethereum/abi/outputValue.ts'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import type { TrackedItemRecord, TrackedValue } from '../storage/records/tracking/trackedItems.ts'

/** How to obtain the value of an item. */
export type Probe =
  | { type: 'balance'; address: Address }
  | { type: 'slot'; address: Address; slot: Word }
  | { type: 'call'; address: Address; data: Uint8Array; outputs: readonly AbiParameter[]; path: OutputPath | undefined }

/** Validates what is recorded. Throws `INVALID_PARAMS` that names the field. */
export function probeOf(value: TrackedValue): Probe {
  const { type, address } = value
  if (type === 'native-token-balance') return { type: 'balance', address }
  if (type === 'storage-variable') return { type: 'slot', address, slot: slotOf(value) }
  return callOf(value)
}

/**
 * What determines the recorded value, whatever the spelling of the ABI, the arguments and the path. The names of tuples'
 * components are in it, because recorded tuples have them.
 */
export function meaningOf({ type }: TrackedValue, probe: Probe): string {
  const { address } = probe
  if (probe.type === 'balance') return JSON.stringify([type, address])
  if (probe.type === 'slot') return JSON.stringify([type, address, probe.slot])
  const { data, outputs, path } = probe
  return JSON.stringify([
    type,
    address,
    hexFromBytes(data),
    outputs.map(shapeOf),
    path && [path.steps, shapeOf(path.parameter)],
  ])
}

type Shape = [type: string, components?: [name: string, shape: Shape][]]

function shapeOf({ type, components }: AbiParameter & { components?: readonly AbiParameter[] }): Shape {
  return components ? [type, components.map((component) => [component.name ?? '', shapeOf(component)])] : [type]
}

function slotOf({ functionArgs }: TrackedValue): Word {
  const problem = 'expected a JSON array of one slot, as 32 bytes of 0x-hex: ["0x…"]'
  if (functionArgs === undefined) throw invalid('functionArgs', problem)
  const args = parseJsonArguments('functionArgs', functionArgs)
  const [slot] = args
  if (args.length !== 1 || typeof slot !== 'string' || !/^0x[\da-f]{64}$/i.test(slot))
    throw invalid('functionArgs', problem)
  return slot.toLowerCase() as Word
}

function callOf(value: TrackedValue): Probe {
  const { type, address, functionArgs, functionOutputPath } = value
  const { fragment, selector } = functionOf(value)
  const { inputs, outputs } = fragment
  if (type === 'erc20-balance' && functionArgs === undefined)
    throw invalid('functionArgs', 'expected a JSON array of one address, the holder: ["0x…"]')
  const args = functionArgs === undefined ? [] : parseJsonArguments('functionArgs', functionArgs)
  const encoded = encodeValues('functionArgs', inputs, args)
  if (outputs.length === 0) throw invalid('functionAbi', `${fragment.name} returns nothing that could be recorded`)
  const path = functionOutputPath ? resolveOutputPath(outputs, functionOutputPath, 'functionOutputPath') : undefined
  const data: Hex = `${selector}${hexFromBytes(encoded).slice(2)}`
  return { type: 'call', address, data: bytesFromHex(data), outputs, path }
}

function functionOf({ type, functionAbi }: TrackedValue): FunctionAbi {
  if (type === 'function-result') {
    if (functionAbi === undefined) throw invalid('functionAbi', 'is required when type is "function-result"')
    return parseFunctionAbi(functionAbi)
  }
  const abi = parseFunctionAbi(functionAbi ?? 'function balanceOf(address holder) view returns (uint256)')
  const { inputs } = abi.fragment
  if (inputs.length !== 1 || inputs[0]?.type !== 'address')
    throw invalid('functionAbi', 'expected a function of one address, as balanceOf is')
  return abi
}

function invalid(field: string, problem: string): NetworkError {
  return new NetworkError('INVALID_PARAMS', { field, problem })
}

/** A tracked item as a client defines it. */
export type TrackedDefinition = TrackedValue & {
  name: string
  tags: string[]
  recordTrigger: RecordTrigger
  /** Blocks, or seconds. */
  trackingFrequency: number | undefined
}

/** A tracked item at run time. */
export type TrackedItem = {
  record: TrackedItemRecord
  probe: Probe
  /** The value of its current run, `null` if it has no run, `undefined` if unknown. */
  run: string | null | undefined
}

/** The fields of an item that recording changes. */
export type Progress = Pick<TrackedItemRecord, 'schedule' | 'lastError'>
