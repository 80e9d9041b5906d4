import type { Address, Word } from '@understudy/evm'
import { type ContractAbi, tokenAbi } from '../contracts/contractAbi.ts'
import { type Decoded, decodeEvent, decodeRevert } from '../contracts/decode.ts'
import type { KnownContract, KnownContracts } from '../contracts/knownContracts.ts'
import { knownFunctions } from '../contracts/knownSignatures/knownFunctions.ts'
import type { TokenMetadata, TokenReads } from '../contracts/tokenMetadata.ts'
import { signatureOf } from '../ethereum/abi/signature.ts'
import { createMutex } from '../shared/async/mutex.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import { parseShadowRule, type ShadowField, type ShadowRule } from '../shared/shadow.ts'
import type { Database, Queries } from '../storage/database.ts'
import {
  loadShadowedTransactions,
  type ShadowedFilter,
  type ShadowedTransaction,
} from '../storage/records/chain/shadowedTransactions.ts'
import type { SourceLocation } from '../storage/records/contracts/sourceLocation.ts'
import {
  causeOf,
  type DivergenceGroup,
  loadShadowedRange,
  loadShadowedSpans,
  type ShadowedSpan,
} from './divergenceCounts.ts'
import type { Comparison, Outcome, OutcomeLog } from './outcome.ts'
import { unexpectedFields } from './rules.ts'
import type { Shadow } from './shadow.ts'
import type { ShadowDetail } from './shadowBlock.ts'

export type DecodedLog = OutcomeLog & { contract: string | undefined; event: Decoded | undefined }

/** A transaction that did not come out here as on the live chain, decoded with what is known of its contracts. */
export type Divergence = Pick<
  ShadowedTransaction,
  'blockNumber' | 'position' | 'hash' | 'kind' | 'isCascade' | 'from' | 'to' | 'selector'
> & {
  contract: string | undefined
  /** The signature of the function that it called. */
  function: string | undefined
  fields: ShadowField[]
  /** Those that no rule expects to differ. */
  unexpected: ShadowField[]
  /** Why it did not run here. */
  reason: string | undefined
  causedBy: readonly Word[]
  live: Outcome
  /** `undefined` if it did not run here. */
  shadow: Outcome | undefined
  /** Where it failed here; `undefined` if it did not, if that is not known, and if it was not asked for. */
  location: SourceLocation | undefined
  logs: { live: DecodedLog | undefined; shadow: DecodedLog | undefined; changed: string[] }[]
  balances: Comparison['balances']
  /** With the decimals and the symbol of the token, if it has them. */
  tokens: (Comparison['tokens'][number] & Pick<TokenMetadata, 'symbol' | 'decimals'>)[]
  /** With the variables in a slot, if the layout is known. */
  storage: (Comparison['storage'][number] & { variables: string[] })[]
  truncated: boolean
}

export type DivergenceQuery = Pick<ShadowedFilter, 'kinds' | 'isCascade' | 'to' | 'hash' | 'fromBlock' | 'toBlock'> & {
  /** Instead of those that were set. */
  rules: readonly string[] | undefined
  /** Whether to list those that the rules expect too. */
  expected: boolean
  /** Whether to run those that fail here again, to find their lines. */
  lines: boolean
  limit: number
  cursor: string | undefined
}

export type DivergenceCounts = {
  /** The most frequent ones first, without those that the rules expect. */
  groups: DivergenceGroup[]
  spans: ShadowedSpan[]
  /** Whether there are more divergences than were counted. */
  truncated: boolean
}

/** Lists what did not come out here as on the live chain. */
export type Divergences = {
  /** Newest first. Throws `INVALID_PARAMS` for a cursor of another list. */
  load(query: DivergenceQuery): Promise<{ items: Divergence[]; next: string | undefined }>
  /** Counts the newest ones by function and cause, and all shadowed transactions by spans of blocks. */
  count(query: Pick<DivergenceQuery, 'rules' | 'fromBlock' | 'toBlock'>): Promise<DivergenceCounts>
  /** Calls `notify` with each new one that no rule expects; returns a function that ends it. */
  subscribe(notify: (divergence: Divergence) => void): () => void
}

type Needs = {
  database: Pick<Database, 'queries'>
  shadow: Pick<Shadow, 'settings' | 'events'>
  abis: KnownContracts
  tokens: Pick<TokenReads, 'loadMetadata'>
  /** Runs a transaction again to find where it failed. */
  loadFailureLocation(hash: Word): Promise<SourceLocation | undefined>
  /** The paths of the variables in slots of a contract. */
  loadSlotPaths(address: Address, slots: readonly Word[]): Promise<ReadonlyMap<Word, string[]>>
  logger: Logger
}

const kinds = ['diverged', 'refused', 'unreproducible'] as const
/** Rows that are read at once, and for one page, where rules pass over many. */
const readAtOnce = 200
const readLimit = 20_000
/** The most divergences that are counted, and groups of them. */
const countLimit = 5_000
const groupLimit = 200

/** Reads what the rows of shadowed transactions say. */
class Decoder {
  readonly #sources: Pick<Needs, 'abis' | 'tokens' | 'loadSlotPaths'>

  constructor(sources: Pick<Needs, 'abis' | 'tokens' | 'loadSlotPaths'>) {
    this.#sources = sources
  }

  async decode(row: ShadowedTransaction, unexpected: ShadowField[]): Promise<Divergence> {
    const detail = row.detail as ShadowDetail
    const logs = detail.logs ?? []
    const { known, all } = await this.#contractsOf(row, logs)
    return {
      ...{ blockNumber: row.blockNumber, position: row.position, hash: row.hash, kind: row.kind },
      ...{ isCascade: row.isCascade, from: row.from, to: row.to, selector: row.selector },
      ...calledOf(row, known),
      fields: row.fields as ShadowField[],
      unexpected,
      reason: detail.reason,
      causedBy: detail.causedBy ?? [],
      live: withReason(detail.live as Outcome, all),
      location: undefined,
      shadow: detail.shadow && withReason(detail.shadow, all),
      logs: decodeLogs(logs, known, all),
      balances: detail.balances ?? [],
      tokens: await this.#withTokens(detail.tokens ?? []),
      storage: await this.#withVariables(detail.storage ?? []),
      truncated: detail.truncated ?? false,
    }
  }

  /** The fields that no rule expects to differ. Logs are decoded only where a rule names events. */
  async unexpectedOf(row: ShadowedTransaction, rules: readonly ShadowRule[]): Promise<ShadowField[]> {
    const { live, shadow, logs = [], truncated = false } = row.detail as ShadowDetail
    const judged = { kind: row.kind, fields: row.fields as ShadowField[], live: live as Outcome, shadow, truncated }
    if (!rules.some(({ type }) => type === 'only event')) return unexpectedFields({ ...judged, logs: [] }, rules)
    const { known, all } = await this.#contractsOf(row, logs)
    return unexpectedFields({ ...judged, logs: decodeLogs(logs, known, all).map(eventsOf) }, rules)
  }

  #withTokens(found: Comparison['tokens']): Promise<Divergence['tokens']> {
    return Promise.all(
      found.map(async (each) => {
        const { symbol, decimals } = await this.#sources.tokens.loadMetadata(each.token)
        return { ...each, symbol, decimals }
      }),
    )
  }

  async #withVariables(found: Comparison['storage']): Promise<Divergence['storage']> {
    const named = new Map<Address, ReadonlyMap<Word, string[]>>()
    for (const address of new Set(found.map((each) => each.address))) {
      const slots = found.filter((each) => each.address === address).map(({ slot }) => slot)
      named.set(address, await this.#sources.loadSlotPaths(address, slots))
    }
    return found.map((each) => ({ ...each, variables: named.get(each.address)?.get(each.slot) ?? [] }))
  }

  /** The contract and the function that a transaction called, by their names. */
  async calledOf(row: ShadowedTransaction): Promise<Pick<Divergence, 'contract' | 'function'>> {
    return calledOf(row, await this.#sources.abis.load(contractsIn(row, [])))
  }

  /** What is known of the contracts of a transaction, and all their ABIs. */
  async #contractsOf(row: ShadowedTransaction, logs: Comparison['logs']) {
    const known = await this.#sources.abis.load(contractsIn(row, logs))
    return { known, all: [...known.values()].map(({ abi }) => abi) }
  }
}

const rulesOf = (texts: readonly string[]) => texts.map(parseShadowRule)
const isExpected = ({ kind }: ShadowedTransaction, unexpected: readonly ShadowField[]) =>
  kind !== 'unreproducible' && unexpected.length === 0

/** At most `limit` rows, so many at once: their details may be large. */
async function* newestFirst(
  queries: Queries,
  filter: ShadowedFilter,
  limit: number,
  atOnce: number,
): AsyncGenerator<ShadowedTransaction> {
  let { before } = filter
  for (let read = 0; read < limit; ) {
    const count = Math.min(atOnce, limit - read)
    const rows = await loadShadowedTransactions(queries, { ...filter, before }, count)
    for (const row of rows) {
      yield row
      before = { block: Number(row.blockNumber), position: row.position }
    }
    read += rows.length
    if (rows.length < count) return
  }
}

export function createDivergences({
  database: { queries },
  shadow,
  loadFailureLocation,
  logger,
  ...sources
}: Needs): Divergences {
  const decoder = new Decoder(sources)

  async function loadPage({ rules: given, expected, limit, cursor, ...filter }: Omit<DivergenceQuery, 'lines'>) {
    const rules = rulesOf(given ?? shadow.settings().rules)
    const items: Divergence[] = []
    let next = cursor
    let read = 0
    const from = {
      ...filter,
      kinds: filter.kinds ?? kinds,
      before: cursor === undefined ? undefined : positionFrom(cursor),
    }
    for await (const row of newestFirst(queries, from, readLimit, rules.length === 0 ? limit + 1 : readAtOnce)) {
      if (items.length === limit) return { items, next }
      read++
      next = `${row.blockNumber}.${row.position}`
      const unexpected = await decoder.unexpectedOf(row, rules)
      if (expected || !isExpected(row, unexpected)) items.push(await decoder.decode(row, unexpected))
    }
    return { items, next: read < readLimit ? undefined : next }
  }

  /** Those for which the request has no time left have none. */
  async function locationOf(hash: Word): Promise<SourceLocation | undefined> {
    try {
      return await loadFailureLocation(hash)
    } catch (error) {
      if (isNetworkError(error)) return undefined
      throw error
    }
  }

  return {
    async load({ lines, ...query }) {
      const page = await loadPage(query)
      if (!lines) return page
      for (const each of page.items) if (each.shadow?.status === 'failed') each.location = await locationOf(each.hash)
      return page
    },
    async count({ rules: given, ...range }) {
      const rules = rulesOf(given ?? shadow.settings().rules)
      const groups = new Map<string, DivergenceGroup>()
      let read = 0
      for await (const row of newestFirst(queries, { ...range, kinds }, countLimit + 1, readAtOnce)) {
        if (++read > countLimit) break
        if (isExpected(row, await decoder.unexpectedOf(row, rules))) continue
        const cause = causeOf(row, row.detail as ShadowDetail)
        const { to, selector, kind, isCascade, blockNumber: block, hash } = row
        const key = JSON.stringify([to, selector, kind, isCascade, cause])
        const group = groups.get(key)
        if (group) group.count++
        else
          groups.set(key, {
            ...{ to, selector, kind, isCascade, cause, count: 1, newest: { block, hash } },
            ...(await decoder.calledOf(row)),
          })
      }
      const ordered = [...groups.values()].sort((a, b) => b.count - a.count)
      const span = await loadShadowedRange(queries, range)
      return {
        groups: ordered.slice(0, groupLimit),
        spans: span ? await loadShadowedSpans(queries, span.from, span.to) : [],
        truncated: read > countLimit || ordered.length > groupLimit,
      }
    },
    subscribe(notify) {
      // Decoding waits for what it loads: without turns, those of a later block could come first.
      const turns = createMutex()
      return shadow.events.on('shadowed', (transactions) => {
        const rules = rulesOf(shadow.settings().rules)
        const tell = async () => {
          for (const each of transactions) {
            const unexpected = await decoder.unexpectedOf(each, rules)
            if (!isExpected(each, unexpected)) notify(await decoder.decode(each, unexpected))
          }
        }
        turns.run(tell).catch((error) => logger.error({ err: error }, 'Could not announce a divergence'))
      })
    },
  }
}

function decodeLog(
  log: OutcomeLog | null,
  known: ReadonlyMap<Address, KnownContract>,
  all: readonly ContractAbi[],
): DecodedLog | undefined {
  if (!log) return undefined
  const own = known.get(log.address)
  return { ...log, contract: own?.name, event: decodeEvent([own?.abi, tokenAbi, ...all], log) }
}

function decodeLogs(
  logs: Comparison['logs'],
  known: ReadonlyMap<Address, KnownContract>,
  all: readonly ContractAbi[],
): Divergence['logs'] {
  return logs.map(({ live, shadow }) => {
    const pair = { live: decodeLog(live, known, all), shadow: decodeLog(shadow, known, all) }
    return { ...pair, changed: changedArguments(pair.live?.event, pair.shadow?.event) }
  })
}

/** The contract that a transaction called, and those whose logs differ. */
function contractsIn({ to }: ShadowedTransaction, logs: Comparison['logs']): Address[] {
  const emitters = logs.flatMap(({ live, shadow }) => [live, shadow]).flatMap((log) => (log ? [log.address] : []))
  return [...(to ? [to] : []), ...emitters]
}

/** The contract and the function that a transaction called, by their names. */
function calledOf(
  { to, selector }: Pick<ShadowedTransaction, 'to' | 'selector'>,
  known: ReadonlyMap<Address, KnownContract>,
): Pick<Divergence, 'contract' | 'function'> {
  const target = to && known.get(to)
  const called = selector && [target?.abi ?? knownFunctions(), tokenAbi].find((abi) => abi?.functions.has(selector))
  const item = selector && called?.functions.get(selector)
  return { contract: target?.name, function: item ? signatureOf(item) : undefined }
}

/** The names by which rules may call the events of a pair of logs. */
const eventsOf = ({ live, shadow }: Divergence['logs'][number]) => ({ events: [...namesOf(live), ...namesOf(shadow)] })

const namesOf = (log: DecodedLog | undefined): string[] =>
  log ? [log.topics[0] ?? '', ...(log.event ? [log.event.name, log.event.signature] : [])] : []

/** The arguments of an event that have another value on the other side. */
function changedArguments(live: Decoded | undefined, shadow: Decoded | undefined): string[] {
  if (!live?.args || !shadow?.args || live.signature !== shadow.signature) return []
  const { args } = shadow
  return live.args
    .map(({ name, value }, index) => ({ name: name || String(index), value, other: args[index]?.value }))
    .filter(({ value, other }) => JSON.stringify(value) !== JSON.stringify(other))
    .map(({ name }) => name)
}

function withReason(outcome: Outcome, abis: readonly ContractAbi[]): Outcome {
  if (!outcome.revertData || outcome.revertData === '0x') return outcome
  return { ...outcome, reason: decodeRevert(abis, outcome.revertData)?.reason ?? outcome.reason }
}

function positionFrom(cursor: string): { block: number; position: number } {
  const [, block, position] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? []
  if (block === undefined)
    throw new NetworkError('INVALID_PARAMS', {
      field: 'cursor',
      problem: 'is not a cursor of this list. Pass next of the previous page, or omit it',
    })
  return { block: Number(block), position: Number(position) }
}
