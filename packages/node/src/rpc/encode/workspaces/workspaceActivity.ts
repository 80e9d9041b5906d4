import { z } from 'zod'
import type { Happened, PastCall, PastEvent, PastTransaction, PastTransfer } from '../../../activity/activityReads.ts'
import { DecimalString, HexWord, Timestamp } from '../../codecs/wire.ts'
import {
  calledFields,
  DecodedCallObject,
  DecodedEventObject,
  DecodedRevertObject,
  encodeDecoded,
  encodeDecodedCall,
  encodeDecodedEvent,
  encodeRevert,
  encodeTransfer,
  TransferObject,
} from '../decodedTransaction.ts'

const happened = { transactionHash: HexWord, blockNumber: z.number(), timestamp: Timestamp }

export const WorkspaceTransactionObject = z
  .object({
    ...happened,
    status: z.enum(['success', 'failed']),
    ...calledFields,
    nonce: z.number(),
    gasUsed: DecimalString,
    effectiveGasPrice: DecimalString,
    revert: DecodedRevertObject.nullable(),
  })
  .meta({ title: 'WorkspaceTransaction' })
export const WorkspaceCallObject = DecodedCallObject.extend(happened).meta({ title: 'WorkspaceCall' })
export const WorkspaceEventObject = DecodedEventObject.extend(happened).meta({ title: 'WorkspaceEvent' })
export const WorkspaceTransferObject = TransferObject.extend(happened).meta({ title: 'WorkspaceTransfer' })

/** `next` is the cursor of the next page; null on the last one. */
export const pageObjectOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next: z.string().nullable() })

export function encodePage<Item, Encoded>(
  { items, next }: { items: readonly Item[]; next: string | undefined },
  encode: (item: Item) => Encoded,
): { items: Encoded[]; next: string | null } {
  return { items: items.map(encode), next: next ?? null }
}

export function encodeWorkspaceTransaction(entry: PastTransaction): z.output<typeof WorkspaceTransactionObject> {
  const { transaction } = entry
  return {
    ...encodeHappened(entry),
    status: entry.succeeded ? 'success' : 'failed',
    from: transaction.from,
    to: transaction.to ?? null,
    contractAddress: entry.contractAddress ?? null,
    contract: entry.contract ?? null,
    function: encodeDecoded(entry.function),
    value: transaction.value.toString(),
    nonce: Number(transaction.nonce),
    gasUsed: entry.gasUsed.toString(),
    effectiveGasPrice: entry.effectiveGasPrice.toString(),
    revert: encodeRevert(entry.revert),
  }
}

export const encodeWorkspaceCall = (call: PastCall): z.output<typeof WorkspaceCallObject> => ({
  ...encodeHappened(call),
  ...encodeDecodedCall(call),
})

export const encodeWorkspaceEvent = (event: PastEvent): z.output<typeof WorkspaceEventObject> => ({
  ...encodeHappened(event),
  ...encodeDecodedEvent(event),
})

export const encodeWorkspaceTransfer = (transfer: PastTransfer): z.output<typeof WorkspaceTransferObject> => ({
  ...encodeHappened(transfer),
  ...encodeTransfer(transfer),
})

function encodeHappened({ transactionHash, blockNumber, timestamp }: Happened) {
  return {
    transactionHash,
    blockNumber: Number(blockNumber),
    timestamp: new Date(Number(timestamp) * 1000).toISOString(),
  }
}
