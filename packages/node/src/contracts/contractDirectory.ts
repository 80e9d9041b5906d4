import type { Address } from '@understudy/evm'
import type { LRUCache } from 'lru-cache'
import type { History } from '../chain/history/history.ts'
import type { Execution } from '../execution/execution.ts'
import { withoutBudget } from '../shared/budget/requestBudget.ts'
import { createBoundedCache } from '../shared/caches.ts'
import { type Clock, within } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'
import type { LoadingView } from '../state/view.ts'
import { type CodeSelectors, createSelectorFinder } from './codeSelectors.ts'
import { type ContractAbi, contractAbi } from './contractAbi.ts'
import type { ContractCode, ContractCodes } from './contractCode.ts'
import type { ContractExplorer, ExplorerAnswer, ExplorerContract } from './explorer/contractExplorer.ts'
import type { ContractSource, KnownContract } from './knownContracts.ts'
import { type ContractProxy, resolveProxy } from './proxies/resolveProxy.ts'

/** Everything known about a contract. */
export type ContractDescription = {
  code: ContractCode
  /** The best source, with the functions of a proxy's implementation; `undefined` if there is none. */
  known: KnownContract | undefined
  /**
   * `undefined` if explorers were not queried: they only know upstream's contracts, and the user's own data has
   * priority.
   */
  explorer: ExplorerAnswer | undefined
  proxy: DescribedProxy | undefined
  /** Selectors from the code, if no other source has functions. */
  selectors: CodeSelectors | undefined
}

export type DescribedProxy = {
  kind: ContractProxy['kind']
  implementations: (ContractProxy['implementations'][number] & { known: KnownContract | undefined })[]
}

/** Combines all sources of information about contracts. Failures of external services never cause an error. */
export type ContractDirectory = ContractSource & {
  /** What is known of the contract itself, without what is behind a proxy. Reads the database alone. */
  loadOwn(address: Address): Promise<KnownContract | undefined>
  /** Queries block explorers if it is an upstream contract without data from the user. */
  describe(address: Address): Promise<ContractDescription>
  /** The implementation that a proxy currently uses; none if it is not a proxy. */
  loadImplementations(address: Address): Promise<Address[]>
}

type Needs = {
  /** Data from the user. */
  own: ContractSource
  explorer: ContractExplorer
  codes: ContractCodes
  history: Pick<History, 'at'>
  execution: Pick<Execution, 'call'>
  clock: Clock
  logger: Logger
}

/** Number of explorer ABIs that are cached in prepared form. */
const cacheLimit = 500
/** Number of proxies that are cached for one state. */
const proxiesLimit = 2000
/** How long a decoder waits for upstream to resolve a proxy. */
const timeoutMs = 1000

export function createContractDirectory(needs: Needs): ContractDirectory {
  const { own, explorer, codes, history, execution, clock, logger } = needs
  const findSelectors = createSelectorFinder()
  const abis = createBoundedCache<Address, { fetchedAt: number; abi: ContractAbi }>(cacheLimit)
  const proxies = new WeakMap<LoadingView, LRUCache<Address, Promise<ContractProxy | undefined>>>()

  function knownFrom(address: Address, contract: ExplorerContract): KnownContract {
    const { name, source, fetchedAt } = contract
    const kept = abis.get(address)
    if (kept?.fetchedAt === fetchedAt) return { name, source, abi: kept.abi }
    const abi = contractAbi(JSON.parse(contract.abi))
    abis.set(address, { fetchedAt, abi })
    return { name, source, abi }
  }

  /** Resolves a proxy in the newest state, once for each state. */
  async function loadProxy(address: Address): Promise<ContractProxy | undefined> {
    const point = await history.at('latest')
    const found =
      proxies.get(point.view) ?? createBoundedCache<Address, Promise<ContractProxy | undefined>>(proxiesLimit)
    proxies.set(point.view, found)
    const known = found.get(address)
    if (known) return known
    const resolving = withoutBudget(() => resolveProxy(address, { point, execution })).catch((error: unknown) => {
      found.delete(address)
      logger.debug({ err: error, address }, 'Could not resolve a proxy')
      return undefined
    })
    found.set(address, resolving)
    return resolving
  }

  /** Without network requests. */
  async function loadFamiliar(address: Address): Promise<KnownContract | undefined> {
    const said = await own.load(address)
    if (said) return said
    const fetched = await explorer.loadKnown(address)
    return fetched && knownFrom(address, fetched)
  }

  async function describeOne(address: Address): Promise<Omit<ContractDescription, 'proxy' | 'selectors'>> {
    const [code, said] = await Promise.all([codes.load(address), own.load(address)])
    if (said || code.origin !== 'upstream') return { code, known: said, explorer: undefined }
    const answer = await explorer.load(address)
    const known = answer.status === 'verified' ? knownFrom(address, answer.contract) : undefined
    return { code, known, explorer: answer }
  }

  return {
    loadOwn: loadFamiliar,

    async loadImplementations(address) {
      const proxy = await within(clock, timeoutMs, loadProxy(address), () => undefined)
      return proxy?.implementations.map((one) => one.address) ?? []
    },

    async load(address) {
      const known = await loadFamiliar(address)
      const proxy = await within(clock, timeoutMs, loadProxy(address), () => undefined)
      if (!proxy) return known
      const behind = await Promise.all(
        proxy.implementations.map(async (one) => ({ ...one, known: await loadFamiliar(one.address) })),
      )
      return withImplementations(known, behind)
    },

    async describe(address) {
      const [description, proxy] = await Promise.all([describeOne(address), loadProxy(address)])
      const implementations = await Promise.all(
        (proxy?.implementations ?? []).map(async (one) => ({ ...one, known: (await describeOne(one.address)).known })),
      )
      const known = withImplementations(description.known, implementations)
      const { code, codeHash, origin } = description.code
      return {
        ...description,
        known,
        proxy: proxy && { kind: proxy.kind, implementations },
        selectors: known || origin === 'none' ? undefined : findSelectors(codeHash, code),
      }
    },
  }
}

/** A proxy has its own functions and those of its implementation; a diamond has those that it takes from each facet. */
function withImplementations(
  proxy: KnownContract | undefined,
  implementations: DescribedProxy['implementations'],
): KnownContract | undefined {
  const behind = implementations.flatMap(({ known, selectors }) =>
    known ? [{ ...known, abi: selectors ? onlyFunctions(known.abi, new Set(selectors)) : known.abi }] : [],
  )
  const [first] = behind
  if (!first) return proxy
  const all = [...behind, ...(proxy ? [proxy] : [])].map(({ abi }) => abi)
  const abi: ContractAbi = {
    items: all.flatMap(({ items }) => [...items]).filter(({ type }) => type !== 'constructor'),
    constructorItem: proxy?.abi.constructorItem,
    functions: new Map(all.flatMap(({ functions }) => [...functions])),
    events: new Map(all.flatMap(({ events }) => [...events])),
    errors: new Map(all.flatMap(({ errors }) => [...errors])),
  }
  return { name: proxy?.name ?? first.name, source: proxy?.source ?? first.source, abi }
}

function onlyFunctions(abi: ContractAbi, selectors: ReadonlySet<string>): ContractAbi {
  const functions = new Map([...abi.functions].filter(([selector]) => selectors.has(selector)))
  const kept = new Set<unknown>(functions.values())
  return { ...abi, functions, items: abi.items.filter((item) => item.type !== 'function' || kept.has(item)) }
}
