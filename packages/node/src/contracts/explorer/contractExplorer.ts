import type { Address } from '@understudy/evm'
import { createBoundedCache } from '../../shared/caches.ts'
import { type Clock, within } from '../../shared/clock.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import {
  type ExplorerContractRecord,
  loadExplorerContract,
  saveExplorerContract,
} from '../../storage/records/contracts/explorerContracts.ts'
import { parseContractAbi } from '../contractAbi.ts'
import { type AbiSource, type VerifiedContract, withinSourceLimit } from './abiSource.ts'

export type ExplorerContract = Pick<ExplorerContractRecord, 'name' | 'implementation' | 'fetchedAt'> & {
  /** The name of the source. */
  source: string
  /** JSON. */
  abi: string
}

/** `unavailable` if it is unknown and not all explorers answered; a later query may help. */
export type ExplorerAnswer =
  | { status: 'verified'; contract: ExplorerContract }
  | { status: 'unverified' }
  | { status: 'unavailable'; problem: string }

/** What block explorers know about upstream's contracts. Queried on demand; never throws. */
export type ContractExplorer = {
  /** Queries the sources in order. Waits at most `timeoutMs`; a later answer is available for the next call. */
  load(address: Address): Promise<ExplorerAnswer>
  /** Fetched earlier, without queries. */
  loadKnown(address: Address): Promise<ExplorerContract | undefined>
  stop(): Promise<void>
}

export type ContractExplorerOptions = {
  timeoutMs: number
  /** How long a negative answer is stored: a contract may be verified later. */
  unverifiedMs: number
}

type Needs = {
  sources: readonly AbiSource[]
  database: Pick<Database, 'queries' | 'transaction'>
  clock: Clock
  logger: Logger
  close(): Promise<void>
}

/** Number of addresses whose last answer is cached although it is not stored. */
const unavailableLimit = 10_000
/** How long such an answer is cached, in milliseconds. */
const unavailableMs = 30_000

export function createContractExplorer(options: ContractExplorerOptions, needs: Needs): ContractExplorer {
  const { sources, clock, logger } = needs
  const { queries } = needs.database
  const stopped = new AbortController()
  const inFlight = new Map<Address, Promise<ExplorerAnswer>>()
  const unavailable = createBoundedCache<Address, { until: number; problem: string }>(unavailableLimit)

  const store = (record: ExplorerContractRecord) =>
    needs.database.transaction((transaction) => saveExplorerContract(transaction, record))

  async function ask(address: Address): Promise<ExplorerAnswer> {
    const problems: string[] = []
    for (const source of sources) {
      try {
        const contract = await source.load(address, stopped.signal)
        if (contract && isUsable(contract))
          return { status: 'verified', contract: await save(address, source, contract) }
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        problems.push(`${source.name} ${problem}`)
        if (!stopped.signal.aborted) logger.warn({ source: source.name, problem }, 'A block explorer did not answer')
      }
    }
    if (problems.length > 0) return { status: 'unavailable', problem: problems.join('; ') }
    const nothing = { source: undefined, name: undefined, abi: undefined, implementation: undefined }
    const unknown = { ...nothing, compiler: undefined, files: [] }
    await store({ address, ...unknown, fetchedAt: clock.now() })
    return { status: 'unverified' }
  }

  async function save(address: Address, source: AbiSource, contract: VerifiedContract): Promise<ExplorerContract> {
    const found = { ...contract, source: source.name, fetchedAt: clock.now() }
    await store({ address, ...found, files: withinSourceLimit(contract.files) })
    const { name, abi, implementation, fetchedAt } = found
    return { source: source.name, name, abi, implementation, fetchedAt }
  }

  /** Concurrent callers share one query. */
  function askOnce(address: Address): Promise<ExplorerAnswer> {
    const known = inFlight.get(address)
    if (known) return known
    const asking = ask(address)
      .catch((error: unknown): ExplorerAnswer => {
        logger.error({ err: error, address }, 'Could not store the answer of a block explorer')
        return { status: 'unavailable', problem: 'its answer could not be stored' }
      })
      .then((answer) => {
        inFlight.delete(address)
        if (answer.status === 'unavailable') remember(address, answer.problem)
        return answer
      })
    inFlight.set(address, asking)
    return asking
  }

  function remember(address: Address, problem: string): void {
    unavailable.set(address, { until: clock.now() + unavailableMs, problem })
  }

  const stillWaiting = (): ExplorerAnswer => ({
    status: 'unavailable',
    problem: 'still waiting for a block explorer',
  })

  return {
    async load(address) {
      if (sources.length === 0) return { status: 'unavailable', problem: 'no block explorer is configured' }
      const stored = await loadExplorerContract(queries, address)
      const known = stored && contractOf(stored)
      if (known) return { status: 'verified', contract: known }
      if (stored && clock.now() - stored.fetchedAt < options.unverifiedMs) return { status: 'unverified' }
      const failed = unavailable.get(address)
      if (failed && clock.now() < failed.until) return { status: 'unavailable', problem: failed.problem }
      return within(clock, options.timeoutMs, askOnce(address), stillWaiting)
    },
    async loadKnown(address) {
      const stored = await loadExplorerContract(queries, address)
      return stored && contractOf(stored)
    },
    async stop() {
      stopped.abort()
      await needs.close()
      await Promise.all(inFlight.values())
    },
  }
}

function contractOf(record: ExplorerContractRecord): ExplorerContract | undefined {
  const { source, abi, name, implementation, fetchedAt } = record
  return source === undefined || abi === undefined ? undefined : { source, abi, name, implementation, fetchedAt }
}

/** Whether the ABI can be used for decoding: stored data is not validated again. */
const isUsable = ({ abi }: VerifiedContract) => 'abi' in parseContractAbi(abi)
