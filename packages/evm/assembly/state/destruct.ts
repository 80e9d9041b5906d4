// SELFDESTRUCT, before and after EIP-6780 and EIP-8246.
import { clearBalance, condemn, credit, findAccount, isEmpty, run, touch, warmAccount } from './accounts'
import { destroyOnlyNew, keepsBalance, stateGas, transferLogs } from '../context'
import { Frame } from '../frames'
import { Price, price } from '../gas'
import { appendTransferLog, logCount } from '../logs'
import { appendRecord, CallType } from '../records'
import { refund, setRefund } from './slots'
import { chargeState } from './stateGas'
import { isZero, truncateToAddress } from '../words/words'

/** Answers the gas left; negative when it is too little. The beneficiary is at `sp`. */
export function selfdestruct(frame: Frame, sp: usize, gas: i64): i64 {
  truncateToAddress(sp)
  const self = frame.selfAccount
  const beneficiary = findAccount(sp)
  if (warmAccount(beneficiary)) gas -= price(Price.COLD_ACCOUNT)
  // What is not paid for is not read (EIP-7928).
  if (gas < 0) return gas
  touch(beneficiary)
  const createsAccount = isEmpty(beneficiary) && !isZero(self.balance)
  if (createsAccount) gas -= price(Price.SELFDESTRUCT_NEW_ACCOUNT)
  if (gas < 0) return gas
  if (createsAccount && stateGas) {
    gas = chargeState(frame, price(Price.ACCOUNT_STATE), gas)
    if (gas < 0) return gas
  }
  appendRecord(
    CallType.SELFDESTRUCT,
    frame.depth + 1,
    self.address,
    beneficiary.address,
    self.balance,
    0,
    0,
    0,
    logCount,
  )
  const destroyed = !destroyOnlyNew || self.created == run
  if (self !== beneficiary) {
    if (!isZero(self.balance)) {
      if (transferLogs) appendTransferLog(self.address, beneficiary.address, self.balance)
      credit(beneficiary, self.balance)
      clearBalance(self)
    }
  } else if (destroyed && !keepsBalance) {
    clearBalance(self)
  }
  if (destroyed && self.destroyed != run) {
    condemn(self)
    setRefund(refund + price(Price.REFUND_SELFDESTRUCT))
  }
  return gas
}
