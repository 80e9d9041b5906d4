import type { Disagreement, RulesSource } from '../../ethereum/chains/foundRules.ts'
import type { ChainPrices, PriceChange } from '../../ethereum/chains/prices/chainPrices.ts'
import type { ChainProfile } from '../../ethereum/chains/profile.ts'
import type { Header } from '../../ethereum/header.ts'
import type { Hardforks, ScheduledFork } from '../../ethereum/rules.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Engine } from '../../shared/engine.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import type { ChangeNotice } from '../../storage/tables.ts'
import type { UpstreamHead } from '../head/head.ts'
import type { Request } from '../transport/requests.ts'
import type { Base } from '../wantedState.ts'

/** Which rules a network has, and where it knows them from. */
export type RulesStatus = {
  hardfork: string
  source: RulesSource
  /** The time of the first block for which they were found, in seconds; `undefined` where they hold for good. */
  since: bigint | undefined
  /** What another source names for more than one head, while these rules are in force. */
  disagreement: Disagreement | undefined
  /** What is known of prices. */
  prices: ChainPrices
}

/** The rules of the chain that is forked: found when the network begins, and followed from then on. */
export type ChainRules = {
  readonly hardforks: Hardforks
  readonly profile: ChainProfile
  /** Forks that begin at a time; `undefined` where no schedule is known. */
  readonly schedule: ScheduledFork[] | undefined
  at(block: { number: bigint; timestamp: bigint }): RulesStatus
  /** Takes a change of the live chain's rules over, with the block that brings it. To be called before the network moves to that. */
  follow(head: UpstreamHead): Promise<void>
  /** Takes in what another node found. */
  refresh(notice: Pick<ChangeNotice, 'queries'>): Promise<void>
}

/** The setting that holds what was found, the oldest first. */
export const rulesKey = 'chainRules'

/** The same of a network whose hardfork is named: only its prices are found. */
export const namedRulesKey = 'namedRules'

export type RulesOptions = {
  /** That of the live chain. */
  chainId: bigint
  /** Of `--hardfork`. */
  hardfork: string | undefined
  /** Of `--prices`: whether those of the live chain are in force, or the hardfork's own. */
  prices: 'measured' | 'fork'
  /** Of `--chain-profile`. */
  profile: ChainProfile | undefined
  /** Whether transactions pay for their data, where the live chain lets them. */
  l1Fee: boolean
  /** Whether there is no live chain whose rules could be found. */
  forksNothing: boolean
  /** Whether the network stays at the block where it left the live chain. */
  isPinned: boolean
}

export type RulesNeeds = {
  database: Database
  /** `undefined` for a network that forks nothing. */
  request: Request | undefined
  /** Whether upstream does not answer at the start. */
  isAway: boolean
  /** Takes the measures of prices here. */
  engine: Pick<Engine, 'run'>
  /** The block at which the network left the live chain. */
  origin: { header: Header; raw: Record<string, unknown> }
  /** The upstream block that the network is on: at it, the stored rules hold. */
  base: Base
  /** The newest block of the network. */
  newest(): { number: bigint; timestamp: bigint }
  /** Whether this node may store what is found: of several, one does. */
  isStored(): boolean
  clock: Clock
  logger: Logger
  /** Called when the rules of the live chain changed. */
  onChange(status: RulesStatus, prices: PriceChange[]): void
}
