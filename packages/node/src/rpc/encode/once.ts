import type { Block } from '../../chain/block.ts'
import type { LogEntry } from '../../ethereum/log.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import { encodeBlock } from './block.ts'
import { encodeLog } from './log.ts'
import { encodeReceipt } from './receipt.ts'

/** What never changes, as JSON. The text lives as long as what it is the text of. */
function textOnce<Value extends object>(encode: (value: Value) => unknown): (value: Value) => string {
  const texts = new WeakMap<Value, string>()
  return (value) => {
    let text = texts.get(value)
    if (text === undefined) {
      text = JSON.stringify(encode(value))
      texts.set(value, text)
    }
    return text
  }
}

export const blockText = textOnce((block: Block) => encodeBlock(block, false))
export const fullBlockText = textOnce((block: Block) => encodeBlock(block, true))
export const receiptText = textOnce((receipt: Receipt) => encodeReceipt(receipt))
export const logText = textOnce((log: LogEntry) => encodeLog(log))
