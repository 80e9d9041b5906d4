import { loadAllDivergences, type ReportedDivergence } from '@understudy/client'
import type { RemoteNetwork } from '../remote/network.ts'
import type { ShadowReport } from './report.ts'

type Query = { rules?: readonly string[]; fromBlock?: number; toBlock?: number }

/** Reads what diverged on a network. Without rules, by those that were set. */
export async function loadShadowReport(network: RemoteNetwork, query: Query): Promise<ShadowReport> {
  const { counts, rules } = await network.call('dev_getShadow')
  return {
    counts,
    rules: [...(query.rules ?? rules)],
    divergences: await load(network, { ...query, kinds: ['diverged', 'refused'] }),
    unreproducible: await load(network, { ...query, kinds: ['unreproducible'] }),
  }
}

const load = (network: RemoteNetwork, query: Query & { kinds: string[] }): Promise<ReportedDivergence[]> =>
  loadAllDivergences((page) => network.call('dev_getDivergences', [{ ...query, lines: true, ...page }]))
