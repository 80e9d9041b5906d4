import { type Address, type Fork, type Hex, pricesOf, requireRules } from '@understudy/evm'
import { addressFromNumber, quantity } from '../../../shared/hex.ts'
import type { MeasuredPrices } from './foundPrices.ts'
import { aroundPrecompile, pointEvaluationMeter } from './measures.ts'
import { reporter, sender } from './shown.ts'

export const pointEvaluation: Address = addressFromNumber(0x0a)
/** What names its price where it is not known. */
export const pointEvaluationName = `precompiles.${pointEvaluation}`

/** What it costs by every fork that has it. */
export const builtInPrice = 50_000

/** Whether it runs where others expect it. */
export const hasPointEvaluation = (fork: Fork, moved: readonly (readonly [Address, number])[]): boolean =>
  requireRules(fork).lastPrecompile >= 0x0a && moved.every(([address]) => address !== pointEvaluation)

/** The parameters of an `eth_call` that answers what it takes. */
export const pointEvaluationCall = (block: Hex): readonly unknown[] => [
  { from: sender, to: reporter, data: '0x', gas: quantity(pointEvaluationMeter.gas) },
  block,
  { [sender]: { balance: quantity(10n ** 20n) }, [reporter]: { code: pointEvaluationMeter.code } },
]

/** Its price by the answer, given the others; `undefined` if that shows none. */
export function pointEvaluationPrice(answer: unknown, { prices }: MeasuredPrices, fork: Fork): number | undefined {
  if (typeof answer !== 'string' || !/^0x[\da-f]{64}$/i.test(answer)) return undefined
  const price = Number(answer) - aroundPrecompile({ ...pricesOf(fork), ...prices })
  return price < 0 || Number(answer) > pointEvaluationMeter.gas ? undefined : price
}

/** The prices with its own, or with its name among those that are not known. */
export function withPointEvaluation(measured: MeasuredPrices, price: number | undefined): MeasuredPrices {
  if (price === undefined) return { ...measured, unknown: [...measured.unknown, pointEvaluationName] }
  if (price === builtInPrice) return measured
  const precompiles = { ...measured.prices.precompiles, [pointEvaluation]: { base: price, perWord: 0 } }
  return { ...measured, prices: { ...measured.prices, precompiles } }
}
