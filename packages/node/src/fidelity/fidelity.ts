import { setMaxListeners } from 'node:events'
import type { Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import type { AskOptional } from '../chain/origins.ts'
import { logsBloom } from '../ethereum/bloom.ts'
import { nextBaseFee } from '../ethereum/fees.ts'
import { headerFromRpc } from '../ethereum/header.ts'
import { listRoot } from '../ethereum/listRoot.ts'
import { encodeReceiptContents, receiptContentsFromRpc } from '../ethereum/receipt.ts'
import type { Hardforks } from '../ethereum/rules.ts'
import { createMutex } from '../shared/async/mutex.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import { createInternalBudget, currentBudget, currentTime, withBudget } from '../shared/budget/requestBudget.ts'
import type { Clock, Timer } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database } from '../storage/database.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Cause } from './cause.ts'
import { type CheckedTransactions, checkTransactions, otherPrice, type Suspects } from './checkBlock.ts'
import { type AskLive, type LiveBlock, loadLiveBlock } from './liveBlock.ts'
import { SeededView } from './seededView.ts'
import { countPassed, type Passed, walkBack } from './walkBack.ts'

/** Where the network and the live chain differ. Numbers are decimal, because it is stored as JSON. */
export type Difference = {
  block: string
  /** `null` for a field of the block itself. */
  transaction: Word | null
  field: 'validity' | 'status' | 'gasUsed' | 'logs' | 'baseFeePerGas' | 'receiptsRoot'
  here: string
  upstream: string
  cause: Cause
  explanation: string
}

/** What a check found. */
export type FidelityReport = {
  /** Milliseconds since 1970. */
  checkedAt: number
  /** The rules by which the newest of the blocks ran. */
  hardfork: string
  /** The blocks that were checked; decimal. */
  fromBlock: string
  toBlock: string
  blocks: number
  /** Those whose base fee, and receipts where all of them are known, came out as on the live chain. */
  blocksAgree: number
  transactions: number
  transactionsAgree: number
  /** Transactions of types that are not run here, by type. */
  passed: Passed
  differences: Difference[]
  /** What the live chain has no plain price for: gas of it differs. In words. */
  oddPrices: string[]
  /** Why it ended early; `null` if it did not. */
  stopped: string | null
}

/** How much to check, the newest first. */
export type FidelityRange = { blocks: number; transactions: number }

/** Runs transactions of the live chain here, and compares what comes about. */
export type Fidelity = {
  /** Throws `UNSUPPORTED` if nothing is forked. What can be known before a limit is reached is answered. */
  check(range: FidelityRange): Promise<FidelityReport>
  /** What the last check found. */
  last(): FidelityReport | undefined
  /** Checks once in the background, if the network has not been checked. */
  begin(): void
  refresh(notice: Pick<ChangeNotice, 'queries'>): Promise<void>
  stop(): Promise<void>
}

/** The most differences that are listed, and that are searched for a fork that explains them. */
const listLimit = 100
const searchLimit = 10
/** The wait before the check in the background: the start and its first requests come first. */
const beginMs = 2_000
/** The most that it checks, if its transactions are few. */
const backgroundBlocks = 16
/** The setting that holds the last report. */
export const reportKey = 'fidelity'

type Options = {
  /** Transactions to check after the first start; 0: none. */
  checkFidelity: number
  callTimeout: number
  requestKeys: number
}

type Needs = {
  history: Pick<History, 'head' | 'replayOf'>
  hardforks: Hardforks
  hardforkAt(block: { number: bigint; timestamp: bigint }): { hardfork: string; prices: { odd: readonly string[] } }
  upstream: Pick<Upstream, 'request'> | undefined
  ask: AskOptional
  engine: Engine
  database: Database
  isStored(): boolean
  clock: Clock
  logger: Logger
}

export async function createFidelity(options: Options, needs: Needs): Promise<Fidelity> {
  const { history, upstream, database, clock, logger } = needs
  const mutex = createMutex()
  const stopping = new AbortController()
  let last = (await loadSetting<FidelityReport | null>(database.queries, reportKey)) ?? undefined
  let timer: Timer | undefined
  let running: Promise<void> | undefined

  async function check(range: FidelityRange): Promise<FidelityReport> {
    if (!upstream) throw new NetworkError('UNSUPPORTED', { what: 'a check of a network that forks no live chain' })
    const report = await mutex.run(() => run(range, upstream))
    last = report
    if (needs.isStored()) await database.transaction((transaction) => saveSetting(transaction, reportKey, report))
    return report
  }

  async function run(range: FidelityRange, { request }: Pick<Upstream, 'request'>): Promise<FidelityReport> {
    const signal = currentBudget()?.signal
    signal?.throwIfAborted()
    // One listener per request that waits, so this is not a leak.
    if (signal) setMaxListeners(0, signal)
    const time = currentTime(options.callTimeout * 1000)
    const ask: AskLive = {
      request: (method, params) => request(method, params, signal && { signal }),
      askOptional: (method, params) => needs.ask(method, params).catch((error) => unlessGone(error, signal)),
    }
    const { header, base } = history.head()
    const newest = base.number
    const report = emptyReport(newest)
    const suspects: Suspects = {
      forks: new Set(),
      searches: searchLimit,
      transfersAgree: false,
      repriced: new Set(),
    }
    const left = () => range.transactions - report.transactions - sumOf(report.passed)
    const limit = await walkBack({
      newest,
      oldest: 1n,
      wanted: () => blocksFor(left(), report, range),
      load: (number) => loadLiveBlock(number, ask),
      visit: (live) => checkBlock(live, left(), report, { ...needs, suspects, time }),
    })
    report.stopped = limit?.message ?? null
    const repriced = suspects.transfersAgree ? suspects.repriced : new Set()
    report.differences = report.differences.map((difference) =>
      repriced.has(difference.transaction) ? { ...difference, ...otherPrice } : difference,
    )
    const { hardfork, prices } = needs.hardforkAt(header)
    return {
      ...report,
      checkedAt: clock.now(),
      hardfork: report.hardfork || hardfork,
      oddPrices: [...prices.odd],
    }
  }

  return {
    check,
    last: () => last,
    begin() {
      const transactions = options.checkFidelity
      if (!upstream || last || timer || transactions === 0 || !needs.isStored()) return
      timer = clock.after(beginMs, () => {
        const budget = createInternalBudget(options, stopping.signal)
        running = withBudget(budget, () => check({ blocks: backgroundBlocks, transactions }))
          .then((report) => tell(report, logger))
          .catch((error) => logger.debug({ err: error }, 'Could not check the network against the live chain'))
      })
    },
    async refresh({ queries }) {
      const stored = await loadSetting<FidelityReport | null>(queries, reportKey)
      if (stored && stored.checkedAt > (last?.checkedAt ?? 0)) last = stored
    },
    async stop() {
      timer?.cancel()
      stopping.abort(new NetworkError('REQUEST_CANCELLED', {}))
      await running
    },
  }
}

function tell(report: FidelityReport, logger: Logger): void {
  const { transactions, transactionsAgree, blocks, hardfork, differences } = report
  const fields = { agree: transactionsAgree, transactions, blocks, hardfork }
  const [first] = differences
  if (!first) {
    logger.info(fields, 'Transactions of the live chain reproduce here')
    return
  }
  const { transaction, field, cause, explanation } = first
  logger.warn(
    { ...fields, first: { transaction, field, cause, explanation } },
    'Not all transactions of the live chain reproduce here: see dev_checkFidelity',
  )
}

const emptyReport = (newest: bigint): FidelityReport => ({
  checkedAt: 0,
  hardfork: '',
  fromBlock: String(newest),
  toBlock: String(newest),
  blocks: 0,
  blocksAgree: 0,
  transactions: 0,
  transactionsAgree: 0,
  passed: [],
  differences: [],
  oddPrices: [],
  stopped: null,
})

type BlockCheckNeeds = Pick<Needs, 'history' | 'hardforks' | 'hardforkAt' | 'engine'> & {
  suspects: Suspects
  time: ComputingTime
}

/** Runs the first `count` transactions of a block, and adds what comes about to the report. */
async function checkBlock(
  live: LiveBlock,
  count: number,
  report: FidelityReport,
  { history, hardforks, hardforkAt, engine, suspects, time }: BlockCheckNeeds,
): Promise<void> {
  const { raw, parent } = live
  const header = headerFromRpc(raw)
  const block = String(header.number)
  let seeded: SeededView | undefined
  const replay = history.replayOf(raw, (view) => {
    seeded = new SeededView(view)
    return seeded
  })
  const isWhole = replay.transactions.length <= count
  const first = { ...replay, transactions: replay.transactions.slice(0, count) }
  const signal = currentBudget()?.signal
  const checked = await checkTransactions(live, first, seeded as SeededView, { engine, time, suspects, signal })
  if (report.blocks === 0) {
    report.toBlock = block
    report.hardfork = hardforkAt(header).hardfork
  }
  report.fromBlock = block
  report.blocks++
  const ran = checked.results.filter((result) => result !== undefined).length
  report.transactions += ran
  for (const [index, result] of checked.results.entries())
    if (!result) countPassed(report.passed, first.transactions[index])
  report.transactionsAgree += ran - checked.differences.length
  const found: Difference[] = checked.differences.map(({ hash, field, here, upstream: there, cause, explanation }) => ({
    block,
    transaction: hash,
    ...{ field, here, upstream: there, cause, explanation },
  }))
  const { fees } = hardforks(header)
  // The fee of the block after the first one is set by the genesis on some chains.
  const isKnown = fees?.type !== 'steady' && header.number > 1n
  const expected = isKnown ? nextBaseFee(headerFromRpc(parent), fees) : undefined
  if (expected !== undefined && header.baseFeePerGas !== undefined && expected !== header.baseFeePerGas)
    found.push({
      block,
      transaction: null,
      field: 'baseFeePerGas',
      here: String(expected),
      upstream: String(header.baseFeePerGas),
      cause: 'fee',
      explanation: 'The base fee does not follow from the block before by the fee model of this chain.',
    })
  const root = isWhole && found.length === 0 ? receiptsRootOf(live, checked) : undefined
  if (root !== undefined && root !== header.receiptsRoot)
    found.push({
      block,
      transaction: null,
      field: 'receiptsRoot',
      here: root,
      upstream: header.receiptsRoot,
      cause: 'unknown',
      explanation: 'All receipts agree, and their root does not: the chain encodes them in another way.',
    })
  if (found.length === 0) report.blocksAgree++
  report.differences.push(...found.slice(0, listLimit - report.differences.length))
}

const sumOf = (passed: Passed): number => passed.reduce((sum, { transactions }) => sum + transactions, 0)

/** How many more blocks hold a number of transactions. The first block alone shows how many the range needs. */
function blocksFor(left: number, report: FidelityReport, range: FidelityRange): number {
  if (report.blocks === 0) return Math.min(1, left, range.blocks)
  const perBlock = Math.max(1, (range.transactions - left) / report.blocks)
  return Math.min(Math.ceil(left / perBlock), range.blocks - report.blocks)
}

/** Of a block whose transactions all ran here. */
function receiptsRootOf({ receipts }: LiveBlock, { results }: CheckedTransactions): Word | undefined {
  let cumulativeGasUsed = 0n
  const encoded: Uint8Array[] = []
  for (const [index, result] of results.entries()) {
    if (result?.type !== 'done') return undefined
    cumulativeGasUsed += result.gasUsed
    const logs = result.logs.map((log) => ({ ...log, data: hexFromBytes(log.data) }))
    const { type, deposit } = receiptContentsFromRpc(receipts[index] ?? {})
    const status = result.status === 'success' ? 'success' : 'failed'
    encoded.push(encodeReceiptContents({ type, deposit, status, cumulativeGasUsed, logs, logsBloom: logsBloom(logs) }))
  }
  return listRoot(encoded)
}

/** A hint that upstream cannot give now is done without. */
function unlessGone(error: unknown, signal: AbortSignal | undefined): undefined {
  if (signal?.aborted) throw error
  return undefined
}
