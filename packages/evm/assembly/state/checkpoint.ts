// The state at the start of a frame, restored if the frame fails.
import { journal, revertTo } from './journal'
import { refund, setRefund } from './slots'
import { reservoir, restoreStateGas, stateGasUsed } from './stateGas'
import { Frame } from '../frames'
import { Halt } from '../halts'
import { logCount, logsEnd, truncateLogs } from '../logs'

/** Stores the positions of journal, logs, refund and state gas, to restore them if the frame fails. */
export function markFrame(frame: Frame): void {
  frame.journal = <u32>journal
  frame.logsEnd = <u32>logsEnd
  frame.logCount = logCount
  frame.refund = refund
  frame.spilled = 0
  frame.reservoir = reservoir
  frame.stateGasUsed = stateGasUsed
}

/** Takes back what a frame that failed did. */
export function revertFrame(frame: Frame): void {
  revertTo(frame.journal)
  truncateLogs(frame.logsEnd, frame.logCount)
  setRefund(frame.refund)
  restoreStateGas(frame, frame.halt == Halt.REVERT)
}
