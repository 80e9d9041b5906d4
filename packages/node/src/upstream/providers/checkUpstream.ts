import { systemClock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import { checkEndpoint, checkSteps } from './checkEndpoint.ts'
import { consequencesOf } from './consequences.ts'
import { type Ranked, rankEndpoints, refuseOtherChains } from './rank.ts'
import type { EndpointReport } from './report.ts'

export type UpstreamReport = {
  /** Whether a network can use every endpoint. */
  isUsable: boolean
  /** In the order of the URLs. */
  endpoints: readonly (EndpointReport & { consequences: readonly string[] })[]
  /** The usable ones, the best first. */
  order: readonly Ranked[]
}

/** The longest that one request may take, in milliseconds. */
const longestAttemptMs = 5_000

type UpstreamConfig = {
  forkUrls: readonly string[]
  forkHeaders: Readonly<Record<string, string>>
  upstreamBatchSize: number
  upstreamTimeoutMs: number
}

/** Checks the endpoints of a configuration one after the other. */
export async function checkUpstream(
  { forkUrls, forkHeaders, upstreamBatchSize, upstreamTimeoutMs }: UpstreamConfig,
  logger: Logger,
  onProgress: (done: number, total: number) => void,
): Promise<UpstreamReport> {
  if (forkUrls.length === 0)
    throw new NetworkError('CONFIG_INVALID', { option: 'URL', problem: 'name at least one endpoint of a live chain' })
  const reports: EndpointReport[] = []
  let done = 0
  for (const url of forkUrls) {
    const options = {
      url: new URL(url),
      headers: forkHeaders,
      maxBatch: upstreamBatchSize,
      attemptTimeoutMs: Math.min(upstreamTimeoutMs, longestAttemptMs),
    }
    const needs = { clock: systemClock, logger, random: Math.random }
    onProgress(done, forkUrls.length * checkSteps)
    reports.push(await checkEndpoint(options, needs, () => onProgress(++done, forkUrls.length * checkSteps)))
    done = reports.length * checkSteps
  }
  const checked = refuseOtherChains(reports)
  return {
    isUsable: checked.every(({ isUsable }) => isUsable),
    endpoints: checked.map((report) => ({ ...report, consequences: report.isUsable ? consequencesOf(report) : [] })),
    order: rankEndpoints(checked),
  }
}
