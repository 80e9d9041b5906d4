import type { Address, Hex, Word } from '@understudy/evm'
import { type ContractAbi, tokenAbi } from '../contracts/contractAbi.ts'
import { type Decoded, decodeEvent, decodeRevert } from '../contracts/decode.ts'
import type { KnownContract, KnownContracts } from '../contracts/knownContracts.ts'
import { signatureOf } from '../ethereum/abi/signature.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import { parseShadowRule, type ShadowField, type ShadowRule } from '../shared/shadowRule.ts'
import type { Database } from '../storage/database.ts'
import {
  loadShadowedTransactions,
  type ShadowedFilter,
  type ShadowedTransaction,
} from '../storage/records/chain/shadowedTransactions.ts'
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
  because: readonly Word[]
  live: Outcome
  /** `undefined` if it did not run here. */
  shadow: Outcome | undefined
  logs: { live: DecodedLog | undefined; shadow: DecodedLog | undefined; changed: string[] }[]
  balances: Comparison['balances']
  storage: Comparison['storage']
  isCut: boolean
}

export type DivergenceQuery = Pick<ShadowedFilter, 'kinds' | 'isCascade' | 'to' | 'hash' | 'fromBlock' | 'toBlock'> & {
  /** Instead of those that were set. */
  rules: readonly string[] | undefined
  /** Whether to list those that the rules expect too. */
  expected: boolean
  limit: number
  cursor: string | undefined
}

/** Lists what did not come out here as on the live chain. */
export type Divergences = {
  /** Newest first. Throws `INVALID_PARAMS` for a cursor of another list. */
  load(query: DivergenceQuery): Promise<{ items: Divergence[]; next: string | undefined }>
  /** Calls `notify` with each new one that no rule expects; returns a function that ends it. */
  subscribe(notify: (divergence: Divergence) => void): () => void
}

type Needs = {
  database: Pick<Database, 'queries'>
  shadow: Pick<Shadow, 'settings' | 'events'>
  abis: KnownContracts
  logger: Logger
}

const kinds = ['diverged', 'refused', 'unreproducible'] as const
/** Rows that are read at once, and for one page, where rules pass over many. */
const readAtOnce = 200
const readLimit = 20_000

export function createDivergences({ database: { queries }, shadow, abis, logger }: Needs): Divergences {
  async function decode(row: ShadowedTransaction, rules: readonly ShadowRule[]): Promise<Divergence> {
    const detail = row.detail as ShadowDetail
    const logs = detail.logs ?? []
    const emitters = logs.flatMap(({ live, shadow }) => [live, shadow]).flatMap((log) => (log ? [log.address] : []))
    const known = await abis.load([...(row.to ? [row.to] : []), ...emitters])
    const all = [...known.values()].map(({ abi }) => abi)
    const target = row.to && known.get(row.to)
    const called = row.selector && [target?.abi, tokenAbi].find((abi) => abi?.functions.has(row.selector as Hex))
    const item = called?.functions.get(row.selector as Hex)
    const decodedLogs = logs.map(({ live, shadow }) => {
      const pair = { live: decodeLog(live, known, all), shadow: decodeLog(shadow, known, all) }
      return { ...pair, changed: changedArguments(pair.live?.event, pair.shadow?.event) }
    })
    const found = {
      ...{ blockNumber: row.blockNumber, position: row.position, hash: row.hash, kind: row.kind },
      ...{ isCascade: row.isCascade, from: row.from, to: row.to, selector: row.selector },
      contract: target?.name,
      function: item && signatureOf(item),
      fields: row.fields as ShadowField[],
      reason: detail.reason,
      because: detail.because ?? [],
      live: withReason(detail.live as Outcome, all),
      shadow: detail.shadow && withReason(detail.shadow, all),
      logs: decodedLogs,
      balances: detail.balances ?? [],
      storage: detail.storage ?? [],
      isCut: detail.isCut ?? false,
    }
    const named = decodedLogs.map(({ live, shadow }) => ({ events: [...namesOf(live), ...namesOf(shadow)] }))
    return { ...found, unexpected: unexpectedFields({ ...found, logs: named }, rules) }
  }

  const rulesOf = (texts: readonly string[]) => texts.map(parseShadowRule)
  const isExpected = ({ kind, unexpected }: Divergence) => kind !== 'unreproducible' && unexpected.length === 0

  return {
    async load({ rules: given, expected, limit, cursor, ...filter }) {
      const rules = rulesOf(given ?? shadow.settings().rules)
      const items: Divergence[] = []
      let before = cursor === undefined ? undefined : placeFrom(cursor)
      for (let read = 0; read < readLimit; ) {
        const count = rules.length === 0 ? limit - items.length + 1 : readAtOnce
        const rows = await loadShadowedTransactions(queries, { ...filter, kinds: filter.kinds ?? kinds, before }, count)
        read += rows.length
        for (const row of rows) {
          if (items.length === limit) return { items, next: before && `${before.block}.${before.position}` }
          const found = await decode(row, rules)
          before = { block: Number(row.blockNumber), position: row.position }
          if (expected || !isExpected(found)) items.push(found)
        }
        if (rows.length < count) return { items, next: undefined }
      }
      return { items, next: before && `${before.block}.${before.position}` }
    },
    subscribe: (notify) =>
      shadow.events.on('shadowed', (transactions) => {
        const rules = rulesOf(shadow.settings().rules)
        const tell = async () => {
          for (const each of transactions) {
            const found = await decode(each, rules)
            if (!isExpected(found)) notify(found)
          }
        }
        tell().catch((error) => logger.error({ err: error }, 'Could not announce a divergence'))
      }),
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

function placeFrom(cursor: string): { block: number; position: number } {
  const [, block, position] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? []
  if (block === undefined)
    throw new NetworkError('INVALID_PARAMS', {
      field: 'cursor',
      problem: 'is not a cursor of this list. Pass next of the previous page, or omit it',
    })
  return { block: Number(block), position: Number(position) }
}
