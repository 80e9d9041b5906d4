import type { Account, Address, BlockContext, Word } from '@understudy/evm'
import type { Header } from '../../ethereum/header.ts'
import type { LogEntry } from '../../ethereum/log.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { ExecutionPoint } from '../../execution/execution.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { State } from '../../state/state.ts'
import { accountField } from '../../state/view.ts'
import type { Block, Head, PlacedTransaction } from '../block.ts'
import type { PendingBlocks } from '../sealing/pendingBlock.ts'
import type { BlockFinder } from './blockFinder.ts'
import type { LogFilter } from './logReads.ts'
import type { RecentBlocks } from './recentBlocks.ts'

/** What is in memory of the newest blocks and their state. `undefined` for what is not there, whether it exists or not. */
export type ResidentReads = {
  /** Of the newest state, if a tag means that: the head's, or the pending one if no transaction waits for a block. */
  accountField<Field extends keyof Account>(address: Address, field: Field, tag: BlockTag): Account[Field] | undefined
  code(address: Address, tag: BlockTag): Uint8Array | undefined
  storage(address: Address, slot: Word, tag: BlockTag): bigint | undefined
  /** The head and its state, if a tag means that. */
  point(tag: BlockTag): ExecutionPoint | undefined
  block(tag: BlockTag): Block | undefined
  transaction(hash: Word): PlacedTransaction | undefined
  receipt(hash: Word): Receipt | undefined
  /** Oldest first; also `undefined` for a range that is empty or wrong. */
  logs(filter: Omit<LogFilter, 'from' | 'to'> & { from: BlockTag; to: BlockTag }): LogEntry[] | undefined
}

type Needs = {
  state: Pick<State, 'latest'>
  recent: RecentBlocks
  head: () => Head | Block
  locate: BlockFinder['locate']
  isHead: (tag: BlockTag) => boolean
  pendingBlocks: Pick<PendingBlocks, 'isAlwaysEmpty'>
  contextOf: (header: Header) => BlockContext
}

export function createResidentReads(
  { logRowsLimit }: { logRowsLimit: number },
  { state, recent, head, locate, isHead, pendingBlocks, contextOf }: Needs,
): ResidentReads {
  function numberOf(tag: BlockTag): bigint | undefined {
    const place = locate(tag)
    return 'number' in place ? place.number : undefined
  }

  const isNewest = (tag: BlockTag) => isHead(tag) && (tag !== 'pending' || pendingBlocks.isAlwaysEmpty())

  return {
    accountField: (address, field, tag) => (isNewest(tag) ? accountField(state.latest(), address, field) : undefined),
    code(address, tag) {
      const view = isNewest(tag) ? state.latest() : undefined
      const codeHash = view && accountField(view, address, 'codeHash')
      return codeHash && view.code(address, codeHash)
    },
    storage: (address, slot, tag) => (isNewest(tag) ? state.latest().storage(address, slot) : undefined),
    point: (tag) =>
      tag !== 'pending' && isHead(tag) ? { block: contextOf(head().header), view: state.latest() } : undefined,
    block(tag) {
      if (tag === 'pending') return undefined
      const newest = head()
      if (isHead(tag)) return 'transactions' in newest ? newest : undefined
      return recent.block(locate(tag))
    },
    transaction: (hash) => recent.transaction(hash),
    receipt: (hash) => recent.receipt(hash),
    logs({ from, to, ...filter }) {
      const [first, last, newest] = [numberOf(from), numberOf(to), head().header.number]
      if (first === undefined || last === undefined || first > last || last > newest) return undefined
      return recent.logs({ ...filter, from: first, to: last }, logRowsLimit)
    },
  }
}
