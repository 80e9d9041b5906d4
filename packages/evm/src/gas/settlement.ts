import type { Ended } from '../done.ts'
import type { Machine } from '../machine.ts'
import type { BlockContext, Done, Message, Surcharge } from '../port.ts'
import type { IntrinsicGas } from './intrinsicGas.ts'

/** A message that is running or has run, with its cost up front and its payer (0 if there is none). */
export type Begun = { gas: IntrinsicGas; payer: number; surcharge: Surcharge | undefined; hasEnded: boolean }

/** Refunds gas and pays the coinbase. */
export function settle(
  machine: Machine,
  { gasLimit, gasPrice }: Message,
  block: BlockContext,
  isSystem: boolean,
  { gas, payer, surcharge }: Begun,
): Pick<Ended, 'gasUsed' | 'gasRefund' | 'blockGas' | 'surcharge'> {
  const { rules, exports } = machine
  // The reservoir of a system call is not part of its gas limit.
  const spent = gasLimit - exports.resultGas.value - (isSystem ? 0n : exports.reservoir.value)
  let gasRefund = 0n
  if (!isSystem) {
    const cap = spent / rules.refundQuotient
    gasRefund = exports.resultRefund.value < cap ? exports.resultRefund.value : cap
  }
  let gasUsed = spent - gasRefund
  if (gasUsed < gas.floor) gasUsed = gas.floor
  const paid = surcharge?.final(gasUsed) ?? 0n
  if (payer !== 0) {
    machine.credit(payer, (gasLimit - gasUsed) * gasPrice + (surcharge?.upfront ?? 0n) - paid)
    const tip = gasPrice - (rules.baseFee ? block.baseFee : 0n)
    if (tip > 0n) machine.credit(machine.account(block.coinbase), gasUsed * tip)
  }
  return { gasUsed, gasRefund, surcharge: paid, blockGas: blockGasOf(machine, spent, gasUsed, gas.floor) }
}

function blockGasOf({ rules, exports }: Machine, spent: bigint, gasUsed: bigint, floor: bigint): Done['blockGas'] {
  if (!rules.stateGas) return { regular: gasUsed, state: 0n }
  const state = exports.stateGasUsed.value > 0n ? exports.stateGasUsed.value : 0n
  const regular = spent - state
  return { regular: regular > floor ? regular : floor, state }
}
