import { type Done, revertReason } from '@understudy/evm'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { Withdrawal } from '../../ethereum/withdrawal.ts'
import { hexFromBytes, quantity } from '../../shared/hex.ts'
import type { SimulatedBlock } from '../../simulation/simulation.ts'
import { encodeBlock } from './block.ts'
import { encodeLog } from './log.ts'

/** The codes of `eth_simulateV1` for failed calls. */
const revertedCode = 3
const haltedCode = -32015

/** A simulated block, with the results of its calls. */
export function encodeSimulatedBlock({ block, receipts, results, withdrawals }: SimulatedBlock, isFull: boolean) {
  const calls = results.map((result, index) => encodeCall(result, receipts[index]))
  const withdrawn = block.header.withdrawalsRoot && { withdrawals: withdrawals.map(encodeWithdrawal) }
  return { ...encodeBlock(block, isFull), ...withdrawn, calls }
}

function encodeWithdrawal({ index, validatorIndex, address, amount }: Withdrawal) {
  return { index: quantity(index), validatorIndex: quantity(validatorIndex), address, amount: quantity(amount) }
}

function encodeCall(result: Done, receipt: Receipt | undefined) {
  const returnData = hexFromBytes(result.output)
  return {
    returnData,
    logs: (receipt?.logs ?? []).map(encodeLog),
    gasUsed: quantity(result.gasUsed),
    maxUsedGas: quantity(result.gasUsed + result.gasRefund),
    status: result.status === 'success' ? '0x1' : '0x0',
    ...(result.status === 'revert' && {
      error: { code: revertedCode, message: revertText(result.output), data: returnData },
    }),
    ...(result.status === 'halt' && { error: { code: haltedCode, message: `vm execution error: ${result.halt}` } }),
  }
}

function revertText(output: Uint8Array): string {
  const reason = revertReason(output)
  return reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
}
