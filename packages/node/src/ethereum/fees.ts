import type { Header } from './header.ts'
import type { BlobSchedule } from './rules.ts'

const initialBaseFee = 1_000_000_000n
const elasticity = 2n
const baseFeeChangeDenominator = 8n
export const blobGasPerBlob = 131_072n
/** EIP-7918: gas of execution that a blob costs at least. */
const blobBaseCost = 8_192n

/** The base fee of the block after `parent` (EIP-1559), in wei. */
export function nextBaseFee(parent: Header): bigint {
  const { baseFeePerGas, gasLimit, gasUsed } = parent
  if (baseFeePerGas === undefined) return initialBaseFee
  const target = gasLimit / elasticity
  if (target === 0n || gasUsed === target) return baseFeePerGas
  if (gasUsed > target) {
    const rise = (baseFeePerGas * (gasUsed - target)) / target / baseFeeChangeDenominator
    return baseFeePerGas + (rise > 0n ? rise : 1n)
  }
  return baseFeePerGas - (baseFeePerGas * (target - gasUsed)) / target / baseFeeChangeDenominator
}

/** The excess blob gas of the block after `parent` (EIP-4844; EIP-7918 when `reserve` is on). */
export function nextExcessBlobGas(parent: Header, schedule: BlobSchedule): bigint {
  const excess = parent.excessBlobGas ?? 0n
  const used = parent.blobGasUsed ?? 0n
  const target = schedule.target * blobGasPerBlob
  if (excess + used < target) return 0n
  if (schedule.reserve && blobBaseCost * (parent.baseFeePerGas ?? 0n) > blobGasPerBlob * blobBaseFee(excess, schedule))
    return excess + (used * (schedule.max - schedule.target)) / schedule.max
  return excess + used - target
}

/** Wei per blob gas. */
export function blobBaseFee(excessBlobGas: bigint, { updateFraction }: BlobSchedule): bigint {
  let sum = 0n
  let term = updateFraction
  for (let i = 1n; term > 0n; i++) {
    sum += term
    term = (term * excessBlobGas) / (updateFraction * i)
  }
  return sum / updateFraction
}
