import { readFile } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { openNetwork } from '../../sample/openNetwork.ts'
import { systemClock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Service } from '../../shared/lifecycle.ts'
import { createLogger } from '../../shared/logger.ts'
import type { Progress } from '../progress.ts'
import { connectTo, type RemoteNetwork } from '../remote/network.ts'
import { type BacktestReport, loadShadowReport } from './report.ts'

export type BacktestOptions = {
  from: bigint
  to: bigint
  /** A file with JSON-RPC requests. */
  changes: string | undefined
  rules: string[]
  progress: Pick<Progress, 'resume' | 'at'>
}

type Request = { method: string; params?: unknown[] }

/** How often a live chain that fails is asked again, and how long in between. */
const attemptLimit = 30
const retryMs = 2000

/** Opens a network at the block before the first one, changes it, and runs the blocks through it. */
export async function runBacktest(config: Config, options: BacktestOptions): Promise<BacktestReport> {
  const { from, to, rules, progress } = options
  const running: Service[] = []
  const startedAt = performance.now()
  try {
    const { node } = await openNetwork(config, createLogger('error'), running)
    const network = connectTo(node.url(), undefined)
    const base = async () => BigInt((await network.call('dev_getNetworkInfo')).base.number)
    await network.call('dev_setMiningMode', ['replay'])
    // Otherwise it continues a run that ended early.
    if ((await base()) < from && options.changes !== undefined) await applyChanges(network, options.changes)
    const { shadow, chainEvents } = node.services
    let done = Number((await base()) + 1n - from)
    progress.resume(done)
    const unsubscribe = chainEvents.on('block', () => progress.at(++done))
    await untilAt(to, base, (number) => shadow.replayTo(number))
    unsubscribe()
    return {
      fromBlock: Number(from),
      toBlock: Number(to),
      seconds: (performance.now() - startedAt) / 1000,
      ...(await loadShadowReport(network, { rules })),
    }
  } finally {
    for (let service = running.pop(); service; service = running.pop()) await service.stop()
  }
}

/** Transactions of the file wait for the first block. */
async function applyChanges(network: RemoteNetwork, file: string): Promise<void> {
  const requests: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (!Array.isArray(requests)) throw new Error(`${file} is not a JSON array of requests: [{ "method", "params" }]`)
  for (const { method, params = [] } of requests as Request[]) await network.call(method as 'eth_call', params)
}

async function untilAt(
  to: bigint,
  base: () => Promise<bigint>,
  replayTo: (number: bigint) => Promise<void>,
): Promise<void> {
  for (let attempt = 0, before = 0n; ; attempt++) {
    await replayTo(to)
    const number = await base()
    if (number >= to) return
    if (number > before) attempt = 0
    before = number
    if (attempt >= attemptLimit)
      throw new NetworkError('UPSTREAM_ERROR', {
        problem: `block ${number + 1n} could not be read; run the command again to continue`,
      })
    await new Promise<void>((resolve) => systemClock.after(retryMs, resolve))
  }
}
