import { credit, debit } from './accounts'
import { transferLogs } from '../context'
import { Frame } from '../frames'
import { appendTransferLog } from '../logs'

/** Moves the value from the caller to what is called or created. */
export function transfer(frame: Frame): void {
  debit(frame.callerAccount, frame.value)
  credit(frame.targetAccount, frame.value)
  if (transferLogs && frame.caller != frame.target) {
    appendTransferLog(frame.callerAccount.address, frame.targetAccount.address, frame.value)
  }
}
