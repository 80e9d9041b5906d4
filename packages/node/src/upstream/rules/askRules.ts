import type { Hex } from '@understudy/evm'
import type { RulesAnswers } from '../../ethereum/chains/foundRules.ts'
import { priceRequests, readingsFrom } from '../../ethereum/chains/prices/readings.ts'
import { delegates, delegationCall, featuresFromAnswer, probeCall } from '../../ethereum/chains/probe.ts'
import { isAnsweredError } from '../../shared/errors.ts'
import { briefRetryMs, type Request, type RequestOptions } from '../transport/requests.ts'

/** What is asked. */
export type Questions = {
  /** Whether the block is the newest: upstream says nothing of itself at older ones. */
  isHead: boolean
  /** Only prices are open: the rest is named. */
  isNamed: boolean
  /** Whether prices are measured. */
  measures: boolean
  /** Some nodes run simulations by later rules than those of a chain before London. */
  hasBaseFee: boolean
}

/** Asks upstream by what rules it runs a block: calls of one tick, which go out as one batch. What it does not answer stays open. */
export async function askRules(
  request: Request,
  block: Hex,
  { isHead, isNamed, measures, hasBaseFee }: Questions,
): Promise<RulesAnswers> {
  const ask = async (method: string, params: readonly unknown[], options?: RequestOptions): Promise<unknown> => {
    try {
      return await request(method, params, options)
    } catch (error) {
      if (isAnsweredError(error)) return undefined
      throw error
    }
  }
  // A chain whose prices are not known can be followed all the same.
  const measure = async ([method, params]: readonly [string, readonly unknown[]]): Promise<unknown> =>
    measures ? ask(method, params, { retryMs: briefRetryMs }).catch(() => undefined) : undefined
  const prices = priceRequests(block)
  const [probed, delegated, config, collected, data, created, used, authorized] = await Promise.all([
    isNamed ? undefined : ask('eth_call', probeCall(block)),
    isNamed ? undefined : ask('eth_call', delegationCall(block)),
    isHead && !isNamed ? ask('eth_config', []) : undefined,
    measure(prices.collected),
    measure(prices.data),
    measure(prices.created),
    hasBaseFee ? measure(prices.used) : undefined,
    hasBaseFee ? measure(prices.authorized) : undefined,
  ])
  const readings = measures ? readingsFrom({ collected, data, created, used, authorized }) : undefined
  return { features: featuresFromAnswer(probed), delegates: delegates(delegated), config, readings }
}
