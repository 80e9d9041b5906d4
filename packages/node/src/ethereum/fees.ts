import type { Header } from './header.ts'

const initialBaseFee = 1_000_000_000n

/** The blob limits of a block, and how fast the blob price moves. */
export type BlobSchedule = {
  target: bigint
  max: bigint
  updateFraction: bigint
  /** EIP-7918: a lower bound for the blob price, relative to the price of execution. */
  reserve: boolean
}

/** How the base fee of a block follows from its parent. */
export type FeeModel =
  /** EIP-1559 with these parameters; the fee is at least `minimum` wei. */
  | { type: 'eip1559'; denominator: bigint; elasticity: bigint; minimum: bigint }
  /** EIP-1559 with the parameters in `extraData` (OP Stack: Holocene; Jovian, with a minimum). */
  | { type: 'optimism' }
  /** The chain sets the fee by rules that are not visible in blocks: the fee stays that of the live head. */
  | { type: 'steady' }

type Eip1559 = Extract<FeeModel, { type: 'eip1559' }>

export const ethereumFees: Eip1559 = { type: 'eip1559', denominator: 8n, elasticity: 2n, minimum: 0n }

export const blobGasPerBlob = 131_072n
/** EIP-7918: minimum price of a blob, in gas of execution. */
const blobBaseCost = 8_192n

/** The base fee of the block after `parent` (EIP-1559), in wei. */
export function nextBaseFee(parent: Header, model: FeeModel = ethereumFees): bigint {
  const { baseFeePerGas, gasLimit } = parent
  if (baseFeePerGas === undefined) return initialBaseFee
  if (model.type === 'steady') return baseFeePerGas
  const { denominator, elasticity, minimum } = model.type === 'optimism' ? optimismFees(parent) : model
  const next = adjustedBaseFee(baseFeePerGas, meteredGas(parent, model), gasLimit / elasticity, denominator)
  return next < minimum ? minimum : next
}

function adjustedBaseFee(baseFee: bigint, used: bigint, target: bigint, denominator: bigint): bigint {
  if (target === 0n || used === target) return baseFee
  if (used > target) {
    const rise = (baseFee * (used - target)) / target / denominator
    return baseFee + (rise > 0n ? rise : 1n)
  }
  return baseFee - (baseFee * (target - used)) / target / denominator
}

/** Since Jovian, `blobGasUsed` is the size of the block's data, which may exceed its gas. */
function meteredGas({ gasUsed, blobGasUsed = 0n }: Header, { type }: FeeModel): bigint {
  return type === 'optimism' && blobGasUsed > gasUsed ? blobGasUsed : gasUsed
}

/** For blocks without parameters: those of Canyon. */
const canyonFees: Eip1559 = { type: 'eip1559', denominator: 250n, elasticity: 6n, minimum: 0n }

/** https://specs.optimism.io/protocol/holocene/exec-engine.html and jovian/exec-engine.html: version, denominator, elasticity, minimum. */
function optimismFees({ extraData }: Header): Eip1559 {
  const [, version, parameters, minimum] = /^0x(00|01)([\da-f]{16})([\da-f]{16})?$/i.exec(extraData) ?? []
  if (parameters === undefined || (version === '01') !== (minimum !== undefined)) return canyonFees
  const denominator = BigInt(`0x${parameters.slice(0, 8)}`)
  const elasticity = BigInt(`0x${parameters.slice(8)}`)
  if (denominator === 0n || elasticity === 0n) return canyonFees
  return { type: 'eip1559', denominator, elasticity, minimum: minimum ? BigInt(`0x${minimum}`) : 0n }
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
