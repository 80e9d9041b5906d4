import { setMaxListeners } from 'node:events'
import type { Word } from '@understudy/evm'
import type { ChainEvents } from '../chain/chainEvents.ts'
import type { InvariantStatus, Invariants } from '../invariants/invariants.ts'
import type { Divergence, Divergences } from '../shadow/divergences.ts'
import { withoutBudget } from '../shared/budget/requestBudget.ts'
import { type Clock, pause } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Events } from '../shared/events.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { WebhookEvent } from '../shared/shadow.ts'
import { maskUrl } from '../shared/urls.ts'
import type { Database } from '../storage/database.ts'
import { loadBlock } from '../storage/records/chain/blocks.ts'
import { loadNextShadowedBlock } from '../storage/records/chain/shadowedTransactions.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'
import { loadNextBrokenBlock } from '../storage/records/tracking/invariants.ts'
import type { WebhookCursor } from './cursor.ts'
import { deliver } from './deliver.ts'

export type WebhookSettings = { url: string; secret: string | undefined; events: readonly WebhookEvent[] }

export type WebhookStatus = {
  /** Without what may be secret. */
  url: string
  isSigned: boolean
  events: readonly WebhookEvent[]
  /** Since the start. */
  delivered: number
  /** Given up after the last attempt, since the start. */
  dropped: number
  /** Why the last attempt failed; `undefined` if it did not. */
  lastError: string | undefined
}

/** What came about in a block. */
export type BlockReport = {
  block: bigint
  hash: Word
  divergences: Divergence[]
  /** Whether there are more of them. */
  truncated: boolean
  /** With the failure of this block first. */
  invariants: InvariantStatus[]
}

/** Posts the divergences and broken invariants of each block to a URL. What a stop interrupts is posted after the next start. */
export type Webhook = Service & {
  status(): WebhookStatus | undefined
  /** `undefined` removes it. Throws `UNSUPPORTED` on a branch, and where callers may name no URLs. */
  set(settings: WebhookSettings | undefined): Promise<void>
}

type Options = {
  /** Whether callers may name URLs. */
  isAllowed: boolean
  isBranch: boolean
  /** After each of these another attempt is made, in milliseconds. */
  retryMs?: readonly number[]
}

type Needs = {
  database: Database
  cursor: WebhookCursor
  divergences: Pick<Divergences, 'load'>
  invariants: Pick<Invariants, 'list'>
  head(): bigint
  chainEvents: Events<ChainEvents>
  encode(report: BlockReport): object
  clock: Clock
  logger: Logger
}

/** The setting that holds the webhook. */
export const webhookKey = 'webhook'
/** The most divergences of a block that are posted. */
const listLimit = 100
const defaultRetryMs = [1_000, 2_000, 5_000, 15_000, 60_000]

/** What came about in blocks. */
class Reports {
  readonly #needs: Pick<Needs, 'database' | 'divergences' | 'invariants'>

  constructor(needs: Pick<Needs, 'database' | 'divergences' | 'invariants'>) {
    this.#needs = needs
  }

  /** The first block after another one in which something came about. */
  async next(after: bigint, { events }: WebhookSettings): Promise<bigint | undefined> {
    const found = await Promise.all([
      events.includes('divergences') ? loadNextShadowedBlock(this.#needs.database.queries, after) : undefined,
      events.includes('invariants') ? loadNextBrokenBlock(this.#needs.database.queries, after) : undefined,
    ])
    return found.reduce((least, each) => (least === undefined || (each !== undefined && each < least) ? each : least))
  }

  async load(block: bigint, { events }: WebhookSettings): Promise<Omit<BlockReport, 'hash'>> {
    const query = {
      fromBlock: block,
      toBlock: block,
      rules: undefined,
      expected: false,
      lines: false,
      cursor: undefined,
    }
    const page = events.includes('divergences')
      ? await this.#needs.divergences.load({ ...query, limit: listLimit })
      : { items: [], next: undefined }
    const all = events.includes('invariants') ? await this.#needs.invariants.list() : []
    const broken = all.flatMap((each) => {
      const failures = each.failures.filter(({ blockNumber }) => blockNumber === block)
      return failures.length > 0 ? [{ ...each, failures }] : []
    })
    return { block, divergences: page.items, truncated: page.next !== undefined, invariants: broken }
  }
}

/** Posts reports, and counts what became of them. */
class Deliveries {
  readonly #retryMs: readonly number[]
  readonly #needs: Pick<Needs, 'encode' | 'clock' | 'logger'>
  counts = { delivered: 0, dropped: 0, lastError: undefined as string | undefined }

  constructor(retryMs: readonly number[], needs: Pick<Needs, 'encode' | 'clock' | 'logger'>) {
    this.#retryMs = retryMs
    this.#needs = needs
  }

  forget(): void {
    this.counts = { delivered: 0, dropped: 0, lastError: undefined }
  }

  /** False if it is to be done again: it is not wanted any more, because the settings changed or this node stops. */
  async post(
    report: BlockReport,
    settings: WebhookSettings,
    isWanted: () => boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const body = JSON.stringify(this.#needs.encode(report))
    for (let attempt = 0; isWanted(); attempt++) {
      try {
        await deliver(settings, { id: report.hash, body }, signal)
        this.counts.delivered++
        this.counts.lastError = undefined
        return true
      } catch (error) {
        if (signal.aborted) return false
        // Nothing of the answer: it would tell the caller what this machine reaches. The log has it.
        this.counts.lastError = 'not answered with a status of 200 to 299 within 10 seconds'
        const wait = this.#retryMs[attempt]
        const told = { err: error, webhook: maskUrl(settings.url), block: report.block }
        if (wait === undefined) {
          this.counts.dropped++
          this.#needs.logger.error(told, 'Gave up a delivery to the webhook')
          return true
        }
        this.#needs.logger.warn(told, 'Could not deliver to the webhook; trying again')
        await pause(this.#needs.clock, wait, signal).catch(() => {})
      }
    }
    return false
  }
}

export async function createWebhook(options: Options, needs: Needs): Promise<Webhook> {
  const { database, cursor, head, chainEvents, logger } = needs
  const { queries } = database
  // A branch has a copy of the setting, and would post what its network posts.
  const load = async () =>
    options.isBranch ? undefined : ((await loadSetting<WebhookSettings | null>(queries, webhookKey)) ?? undefined)
  let settings = await load()
  const reports = new Reports(needs)
  const deliveries = new Deliveries(options.retryMs ?? defaultRetryMs, needs)
  let running: Promise<void> | undefined
  let again = false
  /** Up to this block nothing is left to deliver. */
  let scanned: bigint | undefined
  let reverts = 0
  let stopping: AbortController | undefined
  let unsubscribe: (() => void)[] = []

  /** Posts what came about after the cursor, block by block. */
  async function work(signal: AbortSignal): Promise<void> {
    while (settings && !signal.aborted) {
      const current = settings
      const newest = head()
      const seen = reverts
      const stored = await cursor.load()
      if (stored === undefined) await cursor.save(newest)
      const after = stored ?? newest
      const block = await reports.next(scanned !== undefined && scanned > after ? scanned : after, current)
      if (block === undefined || block > newest) {
        if (seen === reverts) scanned = newest
        return
      }
      const report = await reports.load(block, current)
      const isEmpty = report.divergences.length + report.invariants.length === 0
      const hash = (await loadBlock(queries, { number: block }))?.hash
      const isWanted = () => settings === current && !signal.aborted
      if (hash && !isEmpty && !(await deliveries.post({ ...report, hash }, current, isWanted, signal))) continue
      // A revert in the meantime leaves another block there, which is new.
      await cursor.save(block, hash)
    }
  }

  function wake(): void {
    again = true
    const signal = stopping?.signal
    if (running || !signal || !settings) return
    again = false
    running = withoutBudget(() => work(signal))
      .catch((error) => logger.error({ err: error }, 'Could not read what to deliver to the webhook'))
      .finally(() => {
        running = undefined
        if (again) wake()
      })
  }

  return {
    status: () =>
      settings && {
        url: maskUrl(settings.url),
        isSigned: settings.secret !== undefined,
        events: settings.events,
        ...deliveries.counts,
      },
    async set(next) {
      if (options.isBranch)
        throw new NetworkError('UNSUPPORTED', { what: 'a webhook of a branch. Set that of its network' })
      if (next && !options.isAllowed)
        throw new NetworkError('UNSUPPORTED', { what: 'a webhook on a network with --reset-to-url false' })
      await database.transaction((transaction) => saveSetting(transaction, webhookKey, next ?? null))
      if (!settings) await cursor.save(head())
      settings = next
      scanned = undefined
      deliveries.forget()
      wake()
    },
    async start() {
      settings = await load()
      stopping = new AbortController()
      setMaxListeners(0, stopping.signal)
      scanned = undefined
      const forget = () => {
        reverts++
        scanned = undefined
      }
      unsubscribe = [chainEvents.on('head', wake), chainEvents.on('reverted', forget)]
      wake()
    },
    async stop() {
      stopping?.abort(new NetworkError('REQUEST_CANCELLED', {}))
      stopping = undefined
      for (const each of unsubscribe.splice(0)) each()
      await running
    },
  }
}
