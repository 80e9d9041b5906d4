import type { BlockContext, Word } from '@understudy/evm'
import { zeroWord } from '../../ethereum/constants.ts'
import { type Header, headerFromRpc } from '../../ethereum/header.ts'
import { nextHeader } from '../../ethereum/nextHeader.ts'
import type { Hardforks } from '../../ethereum/rules.ts'
import type { ExecutionPoint } from '../../execution/execution.ts'
import { chain, type MaybePromise } from '../../shared/async/maybePromise.ts'
import { BaseView } from '../../state/baseView.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { State } from '../../state/state.ts'
import type { Database } from '../../storage/database.ts'
import { loadBlockAfter } from '../../storage/records/chain/blocks.ts'
import type { BaseState } from '../../upstream/cache/baseState.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Block, Head } from '../block.ts'
import { blockContext } from '../run/blockContext.ts'
import type { LocalRules, LocalRulesByBlock } from '../run/localRules.ts'
import type { PendingBlocks } from '../sealing/pendingBlock.ts'
import type { BlockFinder } from './blockFinder.ts'

/** A block whose state can be read. */
export type BlockReference = { origin: 'local' | 'upstream'; number: bigint; hash: Word }

export type PointNeeds = {
  database: Pick<Database, 'queries'>
  state: Pick<State, 'at' | 'latest' | 'seq'>
  baseStates: (base: Base) => BaseState
  hardforks: Hardforks
  localRules: LocalRulesByBlock
  pendingBlocks: Pick<PendingBlocks, 'isAlwaysEmpty' | 'load'>
  head: () => Head | Block
  pendingHeader: () => Header
}

/** The blocks of tags, and the states on which to read and to execute. */
export function createPoints(needs: PointNeeds, blocks: BlockFinder) {
  const { database, state, pendingBlocks, head, pendingHeader } = needs
  const { queries } = database
  /** Engines tell blocks apart by their objects. */
  const contexts = new WeakMap<Header, { context: BlockContext; localRules: LocalRules }>()

  /** For runs on the state after a block, to which changes before the next block belong. */
  function contextOf(header: Header): BlockContext {
    const localRules = needs.localRules.of(header.number + 1n)
    const known = contexts.get(header)
    if (known?.localRules === localRules) return known.context
    const context = blockContext(header, needs.hardforks(header), localRules)
    contexts.set(header, { context, localRules })
    return context
  }

  /** The number of the last change that belongs to a block: writes between two blocks belong to the first. */
  async function lastSeqOf(number: bigint): Promise<number> {
    const next = await loadBlockAfter(queries, number)
    return next ? next.seq - 1 : state.seq()
  }

  function resolve(tag: BlockTag): MaybePromise<BlockReference> {
    if (blocks.isHead(tag)) {
      const { header, hash } = head()
      return { origin: blocks.isOwn(header.number) ? 'local' : 'upstream', number: header.number, hash }
    }
    return chain(blocks.require(tag), (found) =>
      found.origin === 'local'
        ? { origin: 'local', number: found.block.header.number, hash: found.block.hash }
        : { origin: 'upstream', number: BigInt(String(found.raw.number)), hash: found.raw.hash as Word },
    )
  }

  const next = () => ({ block: contextOf(pendingHeader()), view: state.latest() })

  const nextOf = (header: Header) =>
    header.number === head().header.number
      ? pendingHeader()
      : nextHeader({ hash: zeroWord, header }, header.timestamp, needs.hardforks(header))

  function at(tag: BlockTag): MaybePromise<ExecutionPoint> {
    if (tag === 'pending')
      return pendingBlocks.isAlwaysEmpty() ? next() : pendingBlocks.load().then(({ point }) => point)
    if (blocks.isHead(tag)) return { block: contextOf(head().header), view: state.latest() }
    return loadPoint(tag)
  }

  async function loadPoint(tag: BlockTag): Promise<ExecutionPoint> {
    const found = await blocks.require(tag)
    if (found.origin === 'local') {
      const { header, base, live } = found.block
      return { block: contextOf(header), view: await state.at(await lastSeqOf(header.number), base, live) }
    }
    const header = headerFromRpc(found.raw)
    const base = { number: header.number, hash: found.raw.hash as Word }
    return { block: contextOf(header), view: new BaseView(needs.baseStates(base)) }
  }

  return { resolve, at, next, nextOf }
}
