// Gas for what makes the state grow (EIP-8037): a frame takes it from the reservoir of the transaction, and from its own gas when
// that is empty.
import { Frame } from '../frames'

/** What is left of the gas limit beyond the most regular gas of a transaction. */
export let reservoir: i64 = 0
/** What the transaction has paid for state; what it removed again is taken off. */
export let stateGasUsed: i64 = 0

export function setStateGas(reservoir_: i64, used: i64): void {
  reservoir = reservoir_
  stateGasUsed = used
}

/** Answers the gas left; negative when it is too little. The frame then halts, which puts back the rest. */
export function chargeState(frame: Frame, amount: i64, gas: i64): i64 {
  const kept = amount < reservoir ? amount : reservoir
  reservoir -= kept
  frame.spilled += amount - kept
  stateGasUsed += amount
  return gas - (amount - kept)
}

/** Gives back what was charged, first to the gas of the frame where that was taken from there. Answers the gas left. */
export function creditState(frame: Frame, amount: i64, gas: i64): i64 {
  const back = amount < frame.spilled ? amount : frame.spilled
  frame.spilled -= back
  reservoir += amount - back
  stateGasUsed -= amount
  return gas + back
}

/**
 * Takes over what a frame that succeeded took from its own gas. What it gave back may be in the reservoir, though another frame
 * paid for it: that repays the gas of this frame. Answers the gas left.
 */
export function mergeSpilled(frame: Frame, spilled: i64, gas: i64): i64 {
  frame.spilled += spilled
  const back = reservoir < frame.spilled ? reservoir : frame.spilled
  frame.spilled -= back
  reservoir -= back
  return gas + back
}

/** Puts back what it was when the frame started. After REVERT the frame has its own gas again too. */
export function restoreStateGas(frame: Frame, reverted: bool): void {
  reservoir = frame.reservoir
  stateGasUsed = frame.stateGasUsed
  if (reverted) frame.gas += frame.spilled
  frame.spilled = 0
}
