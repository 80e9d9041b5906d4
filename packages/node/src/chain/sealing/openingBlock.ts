import type { Address, Hex } from '@understudy/evm'
import { decodeStoredTransaction } from '../../ethereum/decodeTransaction.ts'
import { rebuildTransaction } from '../../ethereum/encodings/rebuilt.ts'
import { decodeStoredHeader, encodeStoredHeader, type Header } from '../../ethereum/header.ts'
import { transactionFromRpc } from '../../ethereum/upstreamMessage.ts'
import { NetworkError } from '../../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../../shared/hex.ts'
import type { Queries } from '../../storage/database.ts'
import { loadSetting, renewInstanceId, saveSetting } from '../../storage/records/settings.ts'
import { decodeDiff } from '../../storage/records/state/storedDiff.ts'
import type { BlockBuilder } from './blockBuilder.ts'
import type { Sealer } from './sealer.ts'

/**
 * The first block of a network or a branch that begins after a transaction: the one that has it, up to there. Stored as
 * JSON until it is sealed.
 */
export type OpeningBlock = {
  /** The header of the whole block, as it is stored. */
  header: Hex
  transactions: OpeningTransaction[]
}

export type OpeningTransaction =
  | {
      raw: Hex
      from: Address
      /** What transactions of the live chain, which are not in the block, changed before: a diff as it is stored. */
      before?: string
    }
  /** A transaction of the live chain that cannot be in a block here, in the format of JSON-RPC: only its changes are. */
  | { live: Record<string, unknown> }

/** The setting that holds it until it is sealed. */
export const openingKey = 'opening'

export const openingFrom = (header: Header, transactions: OpeningTransaction[]): OpeningBlock => ({
  header: hexFromBytes(encodeStoredHeader(header)),
  transactions,
})

/** A transaction of the live chain, in the format of JSON-RPC. */
export function openingTransactionFrom(live: Record<string, unknown>): OpeningTransaction {
  const encoded = Number(live.type ?? 0) > 4 ? undefined : rebuildTransaction(live)
  const from = String(live.from).toLowerCase() as Address
  return encoded ? { raw: hexFromBytes(encoded), from } : { live }
}

/** Runs a transaction in the block. Throws what makes it impossible there. */
async function runOpening(builder: BlockBuilder, transaction: OpeningTransaction): Promise<void> {
  if ('raw' in transaction) {
    if (transaction.before) builder.applyUpstream(decodeDiff(transaction.before))
    return builder.execute(decodeStoredTransaction({ raw: transaction.raw, sender: transaction.from }))
  }
  const { message, type } = transactionFromRpc(transaction.live, builder.context.baseFee)
  if (!message) throw new NetworkError('UNSUPPORTED', { what: `running a transaction of type ${type} here` })
  await builder.applyMessage(message)
}

type Needs = {
  queries: Queries
  sealer: Pick<Sealer, 'head' | 'sealReplayed'>
  /** That of the network; `undefined` if it begins with a whole block. */
  opening: OpeningBlock | undefined
}

/** The block with which a network or a branch begins, if it begins after a transaction. */
export type Opening = {
  /** Stores that the network begins again: the block is to be sealed, and the network is another one to its clients. */
  again(queries: Queries): Promise<void>
  /** Seals it, unless it was. Call only inside `exclusive`. */
  seal(): Promise<void>
}

export function createOpening({ queries, sealer, opening }: Needs): Opening {
  return {
    async again(transaction) {
      await renewInstanceId(transaction)
      await saveSetting(transaction, openingKey, opening ?? null)
    },
    async seal() {
      const waiting = await loadSetting<OpeningBlock | null>(queries, openingKey)
      if (!waiting) return
      const header = decodeStoredHeader(bytesFromHex(waiting.header))
      await sealer.sealReplayed([{ ...sealer.head.base, header }], {
        async run(builder) {
          for (const transaction of waiting.transactions) await runOpening(builder, transaction)
          return { save: (transaction) => saveSetting(transaction, openingKey, null), committed() {} }
        },
      })
    },
  }
}
