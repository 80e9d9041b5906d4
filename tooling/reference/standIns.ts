import { createEvm, type Prices } from '../../packages/evm/src/index.ts'
import { type ChainPrices, chainPrices } from '../../packages/node/src/ethereum/chains/prices/chainPrices.ts'
import { findPrices } from '../../packages/node/src/ethereum/chains/prices/foundPrices.ts'
import { withPointEvaluation } from '../../packages/node/src/ethereum/chains/prices/pointEvaluation.ts'
import { tabledPrices } from '../../packages/node/src/ethereum/chains/prices/tabledPrices.ts'
import { knownProfiles } from '../../packages/node/src/ethereum/chains/profiles.ts'
import { newestStableFork, requireRules } from '../../packages/node/src/ethereum/rules.ts'
import { ownReadings } from '../../packages/node/src/upstream/rules/ownReadings.ts'
import { table } from './markdown.ts'
import { shortAddress } from './prices.ts'

/** What is known of the prices of a chain that has those of its rows, and of no others. */
export type StandIn = { chain: string; isRefused: boolean; tabled: Partial<Prices>; known: ChainPrices | undefined }

const { fork } = requireRules(newestStableFork)
/** After all dates that are known. */
const later = { number: 2n ** 60n, timestamp: 2n ** 60n }

/** Measures what is measured at the start of each chain on a stand-in: the engine with the prices of its rows. */
export async function measureStandIns(): Promise<StandIn[]> {
  const engine = createEvm()
  const run = (prices: Partial<Prices>) => ownReadings(engine, { fork, prices })
  const standIns: StandIn[] = []
  for (const { chainId, name, stack } of knownProfiles) {
    const tabled = tabledPrices(BigInt(chainId), later)
    const isRefused = stack === 'eravm'
    const measured = isRefused ? undefined : await findPrices(await run(tabled.prices), { fork }, run)
    const known = measured && chainPrices(fork, { measured: withPointEvaluation(measured, undefined), tabled })
    standIns.push({ chain: name, isRefused, tabled: tabled.prices, known })
  }
  return standIns
}

/** Its rows are those of the chains: chains of which the same is known share one. */
export async function standInsTable(): Promise<string> {
  const rows = new Map<string, { chains: string[]; cells: string[] }>()
  for (const standIn of await measureStandIns()) {
    const cells = cellsOf(standIn)
    const row = rows.get(cells.join('|')) ?? { chains: [], cells }
    row.chains.push(standIn.chain)
    rows.set(cells.join('|'), row)
  }
  return table(
    ['chains', 'measured', 'by the table', 'no plain numbers, named'],
    [...rows.values()].map(({ chains, cells }) => [chains.join(', '), ...cells]),
  )
}

function cellsOf({ isRefused, known }: StandIn): string[] {
  if (isRefused || !known) return ['refused at the start', '', '']
  const { values, ofProfile, odd } = known
  const names = Object.keys(values).filter((name) => name !== 'precompiles')
  const all = [...names, ...Object.keys(values.precompiles ?? {}).map((address) => `precompiles.${address}`)]
  const measured = all.filter((name) => !ofProfile.includes(name))
  return [measured.length > 0 ? namesText(measured) : 'nothing that differs', namesText(ofProfile), odd.join('; ')]
}

const namesText = (names: readonly string[]): string =>
  names
    .map((name) => (name.startsWith('precompiles.') ? shortAddress(name.slice('precompiles.'.length)) : `\`${name}\``))
    .join(', ')
