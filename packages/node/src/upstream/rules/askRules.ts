import type { Hex } from '@understudy/evm'
import type { RulesAnswers } from '../../ethereum/chains/foundRules.ts'
import { delegates, delegationCall, featuresFromAnswer, probeCall } from '../../ethereum/chains/probe.ts'
import { isAnsweredError } from '../../shared/errors.ts'
import type { Request } from '../transport/requests.ts'

/** Asks upstream by what rules it runs a block: calls of one tick, which go out as one batch. What it does not answer stays open. */
export async function askRules(request: Request, block: Hex, isHead: boolean): Promise<RulesAnswers> {
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    try {
      return await request(method, params)
    } catch (error) {
      if (isAnsweredError(error)) return undefined
      throw error
    }
  }
  const [probed, delegated, config] = await Promise.all([
    ask('eth_call', probeCall(block)),
    ask('eth_call', delegationCall(block)),
    // It says nothing of older blocks.
    isHead ? ask('eth_config', []) : undefined,
  ])
  return { features: featuresFromAnswer(probed), delegates: delegates(delegated), config }
}
