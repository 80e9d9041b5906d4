import { type Done, revertReason } from '@understudy/evm'
import type { LogEntry } from '../../ethereum/log.ts'
import type { Withdrawal } from '../../ethereum/withdrawal.ts'
import { hexFromBytes, quantity } from '../../shared/hex.ts'
import type { SimulatedBlock } from '../../simulation/simulation.ts'
import { encodeBlock } from './block.ts'
import { encodeLog } from './receipt.ts'

/** The codes of `eth_simulateV1` for failed calls. */
const revertedCode = 3
const haltedCode = -32015

/** A simulated block, with the results of its calls. */
export function encodeSimulatedBlock({ block, results, logs, withdrawals }: SimulatedBlock, isFull: boolean) {
  const calls = results.map((result, index) => encodeCall(result, logs[index] ?? []))
  const withdrawn = block.header.withdrawalsRoot && { withdrawals: withdrawals.map(encodeWithdrawal) }
  return { ...encodeBlock(block, isFull), ...withdrawn, calls }
}

function encodeWithdrawal({ index, validatorIndex, address, amount }: Withdrawal) {
  return { index: quantity(index), validatorIndex: quantity(validatorIndex), address, amount: quantity(amount) }
}

function encodeCall(result: Done, logs: readonly LogEntry[]) {
  const output = hexFromBytes(result.output)
  const isRevert = result.status === 'revert'
  return {
    returnData: isRevert ? '0x' : output,
    logs: logs.map(encodeLog),
    gasUsed: quantity(result.gasUsed),
    maxUsedGas: quantity(result.gasUsed + result.gasRefund),
    status: result.status === 'success' ? '0x1' : '0x0',
    ...(isRevert && { error: { code: revertedCode, message: revertText(result.output), data: output } }),
    ...(result.status === 'halt' && { error: { code: haltedCode, message: result.halt } }),
  }
}

function revertText(output: Uint8Array): string {
  const reason = revertReason(output)
  return reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
}
