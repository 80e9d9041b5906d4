import { endpointName } from '../endpoint/secrets.ts'
import { CheckEnded, createAsker } from './askEndpoint.ts'
import { loadChain } from './loadChain.ts'
import { findBatches, findBlockHashes, findHeadSocket, findLogs, findMethods, findRate, findState } from './probes.ts'
import type { CheckNeeds, CheckOptions, EndpointReport } from './report.ts'

/** The most time and HTTP requests of a check. */
export const checkLimit = { ms: 20_000, requests: 60 }
/** How often `onStep` is called. */
export const checkSteps = 8
/** As many requests as a network has in flight. */
const concurrency = 8

const nothingKnown = {
  isUsable: false,
  problem: null,
  chainId: null,
  genesis: null,
  head: null,
  latencyMs: null,
  batches: null,
  blockHashes: null,
  state: null,
  logs: null,
  methods: null,
  rate: null,
  announcesHeads: null,
  requests: 0,
}

/** Finds out what an endpoint can, with few requests, which are sent one after the other but for a short burst at the end. */
export async function checkEndpoint(
  options: CheckOptions,
  needs: CheckNeeds,
  onStep: () => void,
): Promise<EndpointReport> {
  const controller = new AbortController()
  const limit = needs.clock.after(checkLimit.ms, () => controller.abort())
  const asker = createAsker({ ...options, concurrency, signal: controller.signal }, needs)
  const report: EndpointReport = { url: endpointName(options.url), ...nothingKnown }
  const left = () => checkLimit.requests - asker.requests()
  const steps: readonly (() => Promise<Partial<EndpointReport>>)[] = [
    () => loadChain(asker, needs.clock),
    () => findState(asker),
    () => findBlockHashes(asker),
    () => findBatches(asker, options.maxBatch),
    () => findLogs(asker),
    () => findMethods(asker, report.state, needs.logger),
    () => findHeadSocket(options, needs),
    () => findRate(asker, { requests: left(), concurrency }),
  ]
  try {
    for (const step of steps) {
      if (report.problem === null) Object.assign(report, await step())
      onStep()
    }
  } catch (error) {
    if (!(error instanceof CheckEnded)) throw error
    if (report.state === null)
      report.problem = `It was too slow to be checked within ${checkLimit.ms / 1000} s. Try again later, or use another one.`
  } finally {
    limit.cancel()
    await asker.close()
  }
  report.isUsable = report.problem === null
  report.latencyMs = median(asker.times())
  report.requests = asker.requests()
  return report
}

function median(values: readonly number[]): number | null {
  const middle = [...values].sort((a, b) => a - b)[values.length >> 1]
  return middle === undefined ? null : Math.round(middle * 10) / 10
}
