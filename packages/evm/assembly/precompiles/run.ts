// Precompiles: the identity runs here, the others in the host.
import { addExtraWork } from '../extraWork'
import { Frame } from '../frames'
import { Halt } from '../halts'
import * as host from '../host'
import { isPrecompiledIdentity, runIdentity } from './identity'

/** The cost of a precompile of the host in addition to its gas, in gas. */
const PRECOMPILE_WORK: i64 = 2000
/** Precompiles in JavaScript take up to 500 ns for one gas. */
const PRECOMPILE_WORK_PER_GAS: i64 = 10

/** What the host answers when a precompile takes long. */
const NOT_NOW: i64 = -3
/** Added to the gas of a precompile that reverted with what it returned. */
const REVERTED: i64 = -4
/** The frame whose precompile the host has not finished, 0 when there is none. */
export let pending: usize = 0
/** The frame whose precompile the host runs. */
export let hosted: usize = 0

export function clearPending(): void {
  pending = 0
}

/** Runs a precompile in a frame: at once, or in parts, which the message then waits for. */
export function runPrecompile(frame: Frame, number: u32): void {
  if (isPrecompiledIdentity(number)) {
    return settle(frame, runIdentity(frame.input, frame.inputLength, frame.gas))
  }
  hosted = changetype<usize>(frame)
  const cost = host.precompile(number, frame.input, frame.inputLength, frame.gas)
  addExtraWork(PRECOMPILE_WORK)
  if (cost == NOT_NOW) {
    pending = changetype<usize>(frame)
  } else {
    if (cost > 0) addExtraWork(cost * PRECOMPILE_WORK_PER_GAS)
    settle(frame, cost)
  }
}

/** Ends the precompile that the message waits for; `cost` is what `host.precompile` would have answered. */
export function settlePrecompile(cost: i64): void {
  settle(changetype<Frame>(pending), cost)
}

function settle(frame: Frame, cost: i64): void {
  if (cost >= 0) {
    frame.gas -= cost
  } else if (cost > REVERTED) {
    frame.halt = cost == -1 ? Halt.OUT_OF_GAS : Halt.PRECOMPILE_FAILED
  } else {
    frame.halt = Halt.REVERT
    frame.gas -= REVERTED - cost
  }
}
