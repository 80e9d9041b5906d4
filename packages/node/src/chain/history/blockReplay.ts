import type { Address, BlockContext, Hex, Message, StateDiff, Word } from '@understudy/evm'
import { decodeSent } from '../../ethereum/decodeTransaction.ts'
import { rebuildTransaction } from '../../ethereum/encodings/rebuilt.ts'
import { type Header, headerFromRpc } from '../../ethereum/header.ts'
import type { DecodedBlock } from '../../ethereum/rawBlock.ts'
import type { Hardforks } from '../../ethereum/rules.ts'
import { transactionFromRpc, type UpstreamTransaction } from '../../ethereum/upstreamMessage.ts'
import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import { NetworkError } from '../../shared/errors.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import { BaseView } from '../../state/baseView.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import { Overlay } from '../../state/overlay.ts'
import type { State } from '../../state/state.ts'
import type { LoadingView } from '../../state/view.ts'
import type { Database } from '../../storage/database.ts'
import { loadStateBefore } from '../../storage/records/chain/shadowedTransactions.ts'
import type { BaseState } from '../../upstream/cache/baseState.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Block } from '../block.ts'
import type { FromUpstream, Local } from '../origins.ts'
import { blockContext, messageFrom } from '../run/blockContext.ts'
import type { LocalRules, LocalRulesByBlock } from '../run/localRules.ts'
import { systemWrites } from '../run/systemContracts.ts'
import { loadStoredBlock } from '../store/blockStore.ts'

export type ReplayedTransaction = (UpstreamTransaction | { hash: Word; message: Message }) & {
  raw?: Hex | undefined
  /** What changes the state before it runs: transactions of the live chain that are not in its block. */
  before?: StateDiff | undefined
}

/** A sealed block, for replaying it. */
export type BlockReplay = {
  /** Its change number; `undefined` for upstream's own blocks, which ran without function overrides. */
  seq: number | undefined
  hash: Word
  block: BlockContext
  /** The state before the first transaction; apply the changes of transactions to it. */
  state: Overlay
  transactions: ReplayedTransaction[]
  /** Its header, where transactions pay for their data on the layer below. */
  l1Fees: Header | undefined
}

type Needs = {
  database: Database
  state: Pick<State, 'at'>
  baseStates: (base: Base) => BaseState
  hardforks: Hardforks
  systemContracts: ReadonlySet<Address>
  localRules: LocalRulesByBlock
  /** The live chain's id; `undefined` if nothing is forked. */
  upstreamChainId: bigint | undefined
  origin: { base: Base }
  loadBlock(tag: BlockTag, transactions: 'full'): MaybePromise<Local<Block> | FromUpstream | undefined>
}

/**
 * Loads the contents of a block and the state before it. Throws `BLOCK_NOT_FOUND`, `GENESIS_NOT_TRACEABLE` for the first
 * block, which has no parent, and `UNSUPPORTED` for unknown transaction types.
 */
export async function loadBlockReplay(tag: BlockTag, needs: Needs): Promise<BlockReplay> {
  const found = await needs.loadBlock(tag, 'full')
  if (!found) {
    const block = typeof tag === 'string' ? tag : 'number' in tag ? tag.number : tag.hash
    throw new NetworkError('NOT_FOUND', { resource: 'block', id: block })
  }
  return found.origin === 'local' ? replayOwn(found.value, needs) : replayUpstream(found.value, needs)
}

async function replayOwn({ hash, header, live, transactions }: Block, needs: Needs): Promise<BlockReplay> {
  const { queries } = needs.database
  const stored = await loadStoredBlock(queries, { hash })
  if (!stored) throw new NetworkError('NOT_FOUND', { resource: 'block', id: hash })
  const parent = await loadStoredBlock(queries, { hash: header.parentHash })
  const base = parent?.block.base ?? needs.origin.base
  const view = await needs.state.at(stored.seq - 1, base, live)
  const before = await loadStateBefore(queries, header.number)
  const start = startOf(header, view, needs)
  const messages = transactions.map((transaction) => ({
    hash: transaction.hash,
    raw: transaction.raw,
    message: messageFrom(transaction, start.block),
    before: before.get(transaction.hash),
  }))
  return { seq: stored.seq, hash, transactions: messages, ...start }
}

/** The same of a block of upstream's; `over` may put values on the state before it. */
export function replayUpstream(
  raw: Record<string, unknown>,
  needs: Omit<Needs, 'loadBlock'>,
  over = (view: LoadingView): LoadingView => view,
): BlockReplay {
  const header = headerFromRpc(raw)
  const { upstreamChainId: chainId } = needs
  if (header.number === 0n) throw new NetworkError('GENESIS_NOT_TRACEABLE', {})
  const view = new BaseView(needs.baseStates({ number: header.number - 1n, hash: header.parentHash }))
  const baseFee = header.baseFeePerGas ?? 0n
  const rawOf = (transaction: Record<string, unknown>) => {
    const encoded = needs.hardforks(header).l1Fees ? rebuildTransaction(transaction) : undefined
    return encoded && hexFromBytes(encoded)
  }
  const transactions = (Array.isArray(raw.transactions) ? raw.transactions : []).map(
    (transaction: Record<string, unknown>) => {
      const found = transactionFromRpc(transaction, baseFee)
      const raw = rawOf(transaction)
      // A deposit is paid for on the layer below.
      if (!found.message || !raw || found.message.mint !== undefined) return { ...found, raw }
      return { ...found, raw, message: { ...found.message, encoded: raw } }
    },
  )
  return {
    seq: undefined,
    hash: raw.hash as Word,
    transactions,
    ...startOf(header, over(view), needs, chainId === undefined ? undefined : { chainId }),
  }
}

/** The same of a block that is in no chain here; `view` is the state after its parent. */
export function replayDecoded(
  { hash, header, transactions }: DecodedBlock,
  view: LoadingView,
  needs: Pick<Needs, 'hardforks' | 'systemContracts' | 'localRules'>,
): BlockReplay {
  const start = startOf(header, view, needs)
  const messages = transactions.map(decodeSent).map(({ transaction }) => ({
    hash: transaction.hash,
    raw: transaction.raw,
    message: messageFrom(transaction, start.block),
  }))
  return { seq: undefined, hash, transactions: messages, ...start }
}

/** The state after the protocol's own writes at the start of a block. */
function startOf(
  header: Header,
  view: LoadingView,
  { hardforks, systemContracts, localRules }: Pick<Needs, 'hardforks' | 'systemContracts' | 'localRules'>,
  own: LocalRules = localRules.of(header.number),
) {
  const rules = hardforks(header)
  const state = new Overlay(view)
  state.apply(systemWrites(header, rules.fork, systemContracts))
  return { block: blockContext(header, rules, own), state, l1Fees: rules.l1Fees ? header : undefined }
}
