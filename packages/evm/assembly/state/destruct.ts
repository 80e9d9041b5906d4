// SELFDESTRUCT, before and after EIP-6780.
import { accountAt, clearBalance, condemn, credit, isEmpty, run, warmAccount } from './accounts'
import { destroyOnlyNew, selfdestructRefund } from '../context'
import { Frame } from '../frames'
import { COLD_ACCOUNT, NEW_ACCOUNT, SELFDESTRUCT_REFUND } from '../gas'
import { logCount } from '../logs'
import { appendRecord, CallType } from '../records'
import { refund, setRefund } from './slots'
import { isZero, truncateToAddress } from '../words/words'

/** Answers the gas left; negative when it is too little. The beneficiary is at `sp`. */
export function selfdestruct(frame: Frame, sp: usize, gas: i64): i64 {
  truncateToAddress(sp)
  const self = frame.selfAccount
  const beneficiary = accountAt(sp)
  if (warmAccount(beneficiary)) gas -= COLD_ACCOUNT
  if (isEmpty(beneficiary) && !isZero(self.balance)) gas -= NEW_ACCOUNT
  if (gas < 0) return gas
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
      credit(beneficiary, self.balance)
      clearBalance(self)
    }
  } else if (destroyed) {
    clearBalance(self)
  }
  if (destroyed && self.destroyed != run) {
    condemn(self)
    if (selfdestructRefund) setRefund(refund + SELFDESTRUCT_REFUND)
  }
  return gas
}
