import type { Address, StateDiff, Word } from '@understudy/evm'
import { type Header, ownFieldsAfter } from '../../ethereum/header.ts'
import { nextHeader, withFeesOf } from '../../ethereum/nextHeader.ts'
import type { Hardforks } from '../../ethereum/rules.ts'
import { chain, type MaybePromise } from '../../shared/async/maybePromise.ts'
import type { Engine } from '../../shared/engine.ts'
import type { Change } from '../../state/change.ts'
import { emptyDiff, nextCommitment } from '../../state/diff.ts'
import { Overlay } from '../../state/overlay.ts'
import { commitmentAfterWipe, type Released } from '../../state/release.ts'
import type { SlotWriters } from '../../state/slotWriters.ts'
import type { State } from '../../state/state.ts'
import { type LoadingView, loadStorage } from '../../state/view.ts'
import type { Queries } from '../../storage/database.ts'
import { miningModeKey, saveSetting } from '../../storage/records/settings.ts'
import type { KeptSlots } from '../../storage/records/state/localState.ts'
import { addSlotWrites } from '../../storage/records/state/slotVersions.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Block, BuiltBlock, Head } from '../block.ts'
import type { LocalRulesByBlock } from '../run/localRules.ts'
import { systemWrites } from '../run/systemContracts.ts'
import { saveBlocks } from '../store/blockStore.ts'
import { BlockBuilder } from './blockBuilder.ts'
import type { BlockClock, BlockTime } from './blockClock.ts'
import type { BlockObservation, BlockObserver, SaveObserved } from './blockObserver.ts'
import { collectRequests } from './blockRequests.ts'
import type { NextBlock } from './nextBlock.ts'

/** An upstream block that becomes the base. */
export type UpstreamBlock = Base & { header: Header }

/** The parameters of a block. */
export type BlockTemplate = {
  /** The minimum timestamp. */
  notBefore?: bigint
  /** The time that a request gives it. */
  time?: BlockTime | undefined
  /** An upstream block to replay: its number, time, fees and randomness are used. */
  like?: Header
  /** The upstream block for which it is sealed: its prices and gas limit are used. */
  fees?: Header | undefined
}

export type GroupNeeds = {
  state: Pick<State, 'latest' | 'above' | 'commitment' | 'follows' | 'live'>
  engine: Engine
  blockClock: BlockClock
  nextBlock: NextBlock
  hardforks: Hardforks
  localRules: LocalRulesByBlock
  /** The system contracts that exist. */
  systemContracts: ReadonlySet<Address>
  observer: BlockObserver
}

/** Consecutive blocks on the head that are committed together. */
export class BlockGroup {
  readonly blocks: (BuiltBlock & Change & { writers: SlotWriters })[] = []
  readonly #needs: GroupNeeds
  readonly #overlay: Overlay
  readonly #startedAt: BlockClock['settings']
  readonly #startedWith: NextBlock['settings']
  readonly #startBase: Base
  /** The upstream head from which the group reads followed keys. */
  readonly #live: Base | undefined
  #head: Head | Block
  #commitment: Change['commitment']
  #open: BlockBuilder | undefined
  /** The time that a request gives the open block. */
  #time: BlockTime | undefined
  readonly #observed: SaveObserved[] = []
  #wipe: Change['wipe']
  #observation: BlockObservation | undefined

  constructor(head: Head | Block, needs: GroupNeeds) {
    this.#needs = needs
    this.#head = head
    this.#startBase = head.base
    this.#live = needs.state.live()
    this.#overlay = new Overlay(needs.state.latest())
    this.#commitment = needs.state.commitment()
    this.#startedAt = needs.blockClock.settings
    this.#startedWith = needs.nextBlock.settings
  }

  /** The last sealed block of the group, or the block below it. */
  get head(): Head | Block {
    return this.#head
  }

  /** Whether the network is to seal no more blocks by itself. */
  get pauses(): boolean {
    return this.#observation?.pauses?.() === true
  }

  /** Whether the block clock's settings changed in the group. */
  get movedBlockClock(): boolean {
    return JSON.stringify(this.#needs.blockClock.settings) !== JSON.stringify(this.#startedAt)
  }

  /** Whether the configured fields of the next block were used. */
  get usedGiven(): boolean {
    return JSON.stringify(this.#needs.nextBlock.settings) !== JSON.stringify(this.#startedWith)
  }

  /**
   * The identity of the state after the last block for the engine: `undefined` if the base moved, everything was wiped,
   * or a block was left unsealed.
   */
  get identity(): object | undefined {
    return this.#open || this.#wipe || this.#head.base.hash !== this.#startBase.hash
      ? undefined
      : this.#overlay.identity
  }

  /** The block after the last; opened if necessary. */
  open({ notBefore, time, like, fees }: BlockTemplate = {}): BlockBuilder {
    if (this.#open) return this.#open
    const { blockClock, nextBlock, hardforks, localRules, engine, systemContracts } = this.#needs
    const parent = this.#head.header
    const timestamp = like
      ? blockClock.timestampLike(like, parent)
      : blockClock.timestampAfter(parent.timestamp, { notBefore, time })
    this.#time = time
    const number = like ? larger(like.number, parent.number + 1n) : parent.number + 1n
    const rules = hardforks({ number, timestamp })
    const next = nextHeader(this.#head, timestamp, rules)
    const own = fees ? withFeesOf(fees, next, rules) : next
    const shown = { ...own, ...ownFieldsAfter(parent, { number, timestamp }, like ?? fees ?? parent) }
    const computed = like ? { ...shown, ...replayedFields(like), number } : shown
    const set = nextBlock.apply(computed)
    const header = rules.arbitrum ? { ...set, mixHash: computed.mixHash } : set
    this.#observation ??= this.#needs.observer.begin(this.#overlay)
    this.#open = new BlockBuilder(header, rules, localRules.current, this.#overlay, engine, this.#observation)
    const startsFork = parent.slotNumber === undefined
    this.#open.applySystem(systemWrites(header, rules.fork, systemContracts, startsFork))
    return this.#open
  }

  /** Seals the open block on `base`. Returns a promise only where something has to be waited for. */
  seal(base: Base & { header?: Header }): MaybePromise<void> {
    const builder = this.open()
    // A wipe leaves the queues to the live chain.
    const collected = this.#wipe
      ? undefined
      : collectRequests(builder, this.#overlay, this.#needs.hardforks(builder.context))
    return chain(collected, () => this.#sealCollected(builder, base))
  }

  #sealCollected(builder: BlockBuilder, base: Base & { header?: Header }): MaybePromise<void> {
    const { number, hash } = base
    const { state } = this.#needs
    const strips = state.follows().strip(builder.diff)
    if (strips) this.#overlay.forgetFollowed()
    if (strips || this.#wipe) this.#observation?.changed(undefined)
    this.#commitment = nextCommitment(this.#commitment, builder.diff)
    const built = builder.seal(this.#commitment, { number, hash }, this.#live)
    const view = this.#viewAbove({ number, hash }, builder.hasUpstreamChanges ? builder.diff : this.#overlay.diff)
    const observed = chain(view, (view) => this.#observe(builder, base, view))
    return chain(observed, (save) => this.#sealed(builder, built, base, save))
  }

  #observe({ context }: BlockBuilder, { hash }: Base, view: LoadingView) {
    const { header, base } = this.#head
    return this.#observation?.sealed({ context, parentNumber: header.number, view, baseMoved: hash !== base.hash })
  }

  #sealed(
    { diff, writers }: BlockBuilder,
    built: BuiltBlock,
    { header }: { header?: Header },
    save: SaveObserved | undefined,
  ): void {
    this.#overlay.blockHashes.set(built.block.header.number, built.block.hash)
    this.#needs.blockClock.sealed(built.block.header.timestamp, this.#time)
    this.#needs.nextBlock.sealed()
    // Fees continue as on the live chain until there is a block with local transactions.
    if (header && built.receipts.length === 0) built.block.feesFrom = header
    this.#head = built.block
    this.#open = undefined
    const { block, receipts, accessList } = built
    this.blocks.push({
      block,
      receipts,
      accessList,
      diff,
      writers,
      commitment: this.#commitment,
      wipe: this.#wipe,
    })
    if (save) this.#observed.push(save)
  }

  /** Stores the blocks and observations; the first block is the change `seq`. */
  async save(queries: Queries, seq: number): Promise<void> {
    await saveBlocks(queries, seq, this.blocks)
    const follows = this.#needs.state.follows()
    await addSlotWrites(
      queries,
      this.blocks.flatMap(({ block, writers }) =>
        writers.replaced
          .filter(({ address, slot }) => !follows.hasSlot(address, slot))
          .map((write) => ({ ...write, blockNumber: block.header.number })),
      ),
    )
    for (const saveObserved of this.#observed) await saveObserved(queries)
    if (this.pauses) await saveSetting(queries, miningModeKey, { type: 'manual' })
  }

  /** Clears all local state except these slots, with the open block. */
  wipe(keep: KeptSlots, done: (released: Released) => void): void {
    this.#wipe = { keep, done }
    this.#commitment = commitmentAfterWipe(this.#commitment, keep)
  }

  /** Called when the blocks are durable. */
  committed(): void {
    const { state } = this.#needs
    const isStillLive = state.live()?.hash === this.#live?.hash
    this.#observation?.committed(isStillLive ? state.latest() : undefined)
  }

  /** The state after the last change, on a base; `diff` has what the group changed. */
  #viewAbove(base: Base, diff: StateDiff): MaybePromise<LoadingView> {
    return base.hash === this.#startBase.hash && !this.#wipe ? this.#overlay : this.#viewOn(base, diff)
  }

  async #viewOn(base: Base, diff: StateDiff): Promise<LoadingView> {
    const { state } = this.#needs
    const overlay = new Overlay(state.above(base, this.#live, this.#wipe ? 'without local state' : 'with local state'))
    if (this.#wipe) overlay.apply(await this.#keptState(this.#wipe.keep))
    overlay.apply(diff)
    for (const [number, hash] of this.#overlay.blockHashes) overlay.blockHashes.set(number, hash)
    return overlay
  }

  async #keptState(keep: KeptSlots): Promise<StateDiff> {
    const diff = emptyDiff()
    for (const [address, slots] of keep) {
      const values = new Map<Word, bigint>()
      for (const slot of slots) values.set(slot, await loadStorage(this.#needs.state.latest(), address, slot))
      diff.slots.set(address, values)
    }
    return diff
  }

  /** Called when the group was not committed. */
  abandon(): void {
    this.#needs.blockClock.restore(this.#startedAt)
    this.#needs.nextBlock.restore(this.#startedWith)
  }
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b)

/** The fields that a replayed block copies from upstream's. */
function replayedFields(header: Header): Partial<Header> {
  const { coinbase, gasLimit, difficulty, mixHash, baseFeePerGas, excessBlobGas, parentBeaconBlockRoot, slotNumber } =
    header
  return { coinbase, gasLimit, difficulty, mixHash, baseFeePerGas, excessBlobGas, parentBeaconBlockRoot, slotNumber }
}
