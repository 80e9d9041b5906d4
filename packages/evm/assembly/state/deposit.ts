// The end of a creation: its code is paid for and kept.
import { setCode } from './accounts'
import { hashOf, internCode } from './codes'
import { chargeState } from './stateGas'
import { maxCodeSize, rejectEf, stateGas } from '../context'
import { Frame } from '../frames'
import { Price, price, wordsOf } from '../gas'
import { Halt } from '../halts'
import { RETURN_DATA } from '../layout'

/** The created account's code is what its init code returned, `length` bytes at RETURN_DATA. What it lacks becomes the frame's halt. */
export function depositCode(frame: Frame, length: u32): void {
  if (length > maxCodeSize) {
    frame.halt = Halt.MAX_CODE_SIZE
    return
  }
  if (rejectEf && length > 0 && load<u8>(RETURN_DATA) == 0xef) {
    frame.halt = Halt.INVALID_CODE
    return
  }
  const cost = price(Price.CODE_BYTE) * <i64>length + price(Price.CODE_WORD) * wordsOf(length)
  let left = frame.gas - cost
  if (left >= 0 && stateGas) left = chargeState(frame, price(Price.CODE_BYTE_STATE) * <i64>length, left)
  if (left < 0) {
    frame.halt = Halt.CODE_STORE_OUT_OF_GAS
    return
  }
  frame.gas = left
  if (length == 0) return
  const code = internCode(RETURN_DATA, length)
  setCode(frame.targetAccount, hashOf(code), changetype<usize>(code))
}
