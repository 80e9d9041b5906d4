import type { Block, TransactionInBlock } from '../../chain/block.ts'
import type { FromUpstream, Local } from '../../chain/origins.ts'
import type { LogEntry } from '../../ethereum/log.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { CallBytes } from '../../shared/budget/messageBytes.ts'
import { memoize } from '../../shared/caches.ts'
import { LongText } from '../../shared/json/jsonText.ts'
import { encodeBlock } from './block.ts'
import { encodeLog, encodeReceipt } from './receipt.ts'
import { encodeResult } from './result.ts'
import { encodeTransaction } from './transaction.ts'

/** What never changes, as JSON. The text lives as long as what it is the text of. Throws `ANSWER_TOO_LARGE` as `encodeResult` does. */
type TextOnce<Value> = (value: Value, bytes: CallBytes) => LongText

function textOnce<Value extends object>(encode: (value: Value) => unknown): TextOnce<Value> {
  const texts = new WeakMap<Value, LongText>()
  return (value, bytes) => {
    let text = texts.get(value)
    if (text === undefined) {
      const json = encodeResult(encode(value), bytes)
      text = typeof json === 'string' ? new LongText([json]) : json
      texts.set(value, text)
    }
    return text
  }
}

export const blockText = textOnce((block: Block) => encodeBlock(block, false))
export const fullBlockText = textOnce((block: Block) => encodeBlock(block, true))
export const receiptText = textOnce((receipt: Receipt) => encodeReceipt(receipt))

/** Not kept: its block may become another one. */
export const transactionText = (found: TransactionInBlock) => new LongText([JSON.stringify(encodeTransaction(found))])

/** The text of a local value; upstream's values pass through unchanged, and `null` if there is none. */
export function foundText<Value>(
  found: Local<Value> | FromUpstream | undefined,
  textOf: TextOnce<Value>,
  bytes: CallBytes,
): LongText | Record<string, unknown> | null {
  if (!found) return null
  return found.origin === 'local' ? textOf(found.value, bytes) : found.value
}

/** A log as JSON, which never changes either. */
export const logText = memoize((log: LogEntry) => JSON.stringify(encodeLog(log)))
