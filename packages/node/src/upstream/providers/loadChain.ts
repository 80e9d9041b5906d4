import type { Clock } from '../../shared/clock.ts'
import { isNetworkError } from '../../shared/errors.ts'
import { blockFromAnswer, numberFromAnswer } from '../answers.ts'
import type { Asker } from './askEndpoint.ts'
import type { EndpointReport } from './report.ts'
import { unusableBy, unusableChain } from './unusable.ts'

const noRpc = 'Check that the URL is one of JSON-RPC, or use another one.'

/** Which chain it is, and where its head is. */
export async function loadChain(asker: Asker, clock: Clock): Promise<Partial<EndpointReport>> {
  const id = await asker.ask('eth_chainId', [])
  if ('refusal' in id) return { problem: unusableBy('eth_chainId', id.refusal) }
  const newest = await asker.ask('eth_getBlockByNumber', ['latest', false])
  if ('refusal' in newest) return { problem: unusableBy('its newest block', newest.refusal) }
  const first = await asker.ask('eth_getBlockByNumber', ['0x0', false])
  try {
    const chainId = Number(numberFromAnswer('eth_chainId', id.result))
    const { number, timestamp } = blockFromAnswer('latest', newest.result)
    const ageSeconds = Math.max(0, Math.round(clock.now() / 1000) - Number(timestamp))
    return {
      chainId,
      head: { number: Number(number), ageSeconds },
      genesis: 'result' in first && first.result !== null ? blockFromAnswer('0x0', first.result).hash : null,
      problem: unusableChain(chainId),
    }
  } catch (error) {
    if (!isNetworkError(error, 'UPSTREAM_ERROR')) throw error
    return { problem: `It answers something else than a chain: ${error.details.problem}. ${noRpc}` }
  }
}
