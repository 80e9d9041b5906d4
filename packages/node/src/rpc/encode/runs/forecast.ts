import { z } from 'zod'
import type { Forecast, ForecastEntry } from '../../../fidelity/forecast/forecast.ts'
import type { FunctionForecast } from '../../../fidelity/forecast/functionTally.ts'
import { DecimalString, HexAddress, HexWord } from '../../codecs/wire.ts'
import { encodeSourceLocation, SourceLocationObject } from './sourceLocation.ts'

const Count = z.number()
const EffectName = z.enum(['fails', 'needs gas', 'costs more', 'logs'])
const CauseName = z.enum(['stipend', 'fixed gas', '63/64', 'gas limit', 'refused', 'price', 'other'])
const counts = { fails: Count, needsGas: Count, costsMore: Count, logsDiffer: Count }

const FunctionForecastObject = z.object({
  address: HexAddress,
  contract: z.string().nullable(),
  function: z.string(),
  transactions: Count,
  ...counts,
  gasUsed: DecimalString,
  forecastGasUsed: DecimalString,
  findings: z.array(
    z.object({
      effect: EffectName,
      cause: CauseName,
      reason: z.string().nullable(),
      gas: DecimalString.nullable(),
      location: SourceLocationObject,
      transactions: Count,
      transaction: HexWord,
    }),
  ),
})

export const ForecastObject = z.object({
  hardfork: z.string(),
  fromBlock: z.number(),
  toBlock: z.number(),
  blocks: Count,
  transactions: Count,
  ...counts,
  transferLogs: Count,
  passed: z.array(z.object({ type: z.string(), transactions: Count })),
  refused: Count,
  stopped: z.string().nullable(),
  functions: z.array(FunctionForecastObject),
  entries: z.array(
    z.object({
      block: z.number(),
      transaction: HexWord,
      from: HexAddress,
      to: HexAddress.nullable(),
      effect: EffectName,
      cause: CauseName.nullable(),
      gasLimit: DecimalString,
      gasUsed: DecimalString,
      forecastGasUsed: DecimalString,
      reason: z.string().nullable(),
      logs: Count,
      forecastLogs: Count,
    }),
  ),
})

const encodeCounts = (effects: Forecast['effects']) => ({
  fails: effects.fails,
  needsGas: effects['needs gas'],
  costsMore: effects['costs more'],
  logsDiffer: effects.logs,
})

/** Block numbers and counts are JSON numbers here, gas decimal. */
export const encodeForecast = (found: Forecast) => ({
  hardfork: found.fork,
  fromBlock: Number(found.fromBlock),
  toBlock: Number(found.toBlock),
  blocks: found.blocks,
  transactions: found.transactions,
  ...encodeCounts(found.effects),
  transferLogs: found.transferLogs,
  passed: found.passed,
  refused: found.refused,
  stopped: found.stopped ?? null,
  functions: found.functions.map(encodeFunction),
  entries: found.entries.map(encodeEntry),
})

const encodeFunction = (row: FunctionForecast) => ({
  address: row.address,
  contract: row.contract ?? null,
  function: row.function,
  transactions: row.transactions,
  ...encodeCounts(row.effects),
  gasUsed: row.gasUsed.toString(),
  forecastGasUsed: row.forecastGasUsed.toString(),
  findings: row.findings.map(({ reason, gas, location, ...finding }) => ({
    ...finding,
    reason: reason ?? null,
    gas: gas?.toString() ?? null,
    location: encodeSourceLocation(location),
  })),
})

const encodeEntry = ({ block, to, cause, gasLimit, gasUsed, forecastGasUsed, reason, ...entry }: ForecastEntry) => ({
  ...entry,
  block: Number(block),
  to: to ?? null,
  cause: cause ?? null,
  gasLimit: gasLimit.toString(),
  gasUsed: gasUsed.toString(),
  forecastGasUsed: forecastGasUsed.toString(),
  reason: reason ?? null,
})
