import type { Word } from '@understudy/evm'
import { wordFromBigint } from '../../shared/hex.ts'
import type { StorageLayout } from './layout.ts'
import { parsePath } from './path.ts'
import { dataSlot } from './slots.ts'
import { type StorageItem, StorageQueryError, stepInto, variableAt, wrap } from './storageItem.ts'
import { parseValue } from './valueType.ts'

/** Bytes of a slot, counted from its low end. */
type SlotWrite = { slot: bigint; offset: number; bytes: number; value: bigint }

/**
 * The slots of variables with the values that these are to have; values that share a slot with others keep those, as `load` says.
 * A dynamic array becomes as long as its last element needs, unless its length is given: the variable `values.length`. Throws
 * `StorageQueryError`.
 */
export async function encodeVariables(
  layout: StorageLayout,
  variables: ReadonlyMap<string, string>,
  load: (slots: readonly Word[]) => Promise<ReadonlyMap<Word, bigint>>,
): Promise<Map<Word, bigint>> {
  const lengths = new Map<Word, bigint>()
  const writes = [...variables].flatMap(([path, text]) => writesOf(itemAt(layout, path, lengths), text))
  const shared = writes.filter(({ bytes }) => bytes < 32).map(({ slot }) => wordFromBigint(slot))
  const needed = new Set([...shared, ...lengths.keys()])
  const slots = new Map<Word, bigint>(needed.size > 0 ? await load([...needed]) : [])
  for (const [slot, length] of lengths)
    if ((slots.get(slot) ?? 0n) < length) slots.set(slot, length)
    else slots.delete(slot)
  for (const { slot, offset, bytes, value } of writes) {
    const word = wordFromBigint(slot)
    const shift = BigInt(offset * 8)
    const mask = ((1n << BigInt(bytes * 8)) - 1n) << shift
    slots.set(word, ((slots.get(word) ?? 0n) & ~mask) | (value << shift))
  }
  return slots
}

const wholeSlot = { encoding: 'inplace', label: 'uint256', numberOfBytes: 32 } as const

/** `lengths`: by the slots of dynamic arrays, how long they are at least for the elements of paths. */
function itemAt(layout: StorageLayout, path: string, lengths: Map<Word, bigint>): StorageItem {
  const [first, ...steps] = parsePath(path) ?? []
  if (!first) throw new StorageQueryError(`${JSON.stringify(path)} is not a path such as users[3].name`)
  let item = variableAt(layout, first.text)
  for (const step of steps) {
    if (step.kind === 'index' && item.type.encoding === 'dynamic_array') noteLength(item, step.text, lengths)
    item =
      step.kind === 'member' && step.text === 'length' && item.type.encoding === 'dynamic_array'
        ? { ...item, path: `${item.path}.length`, type: wholeSlot }
        : stepInto(layout, item, step)
  }
  return item
}

function noteLength({ slot }: StorageItem, index: string, lengths: Map<Word, bigint>): void {
  const word = wordFromBigint(slot)
  const length = /^\d{1,77}$/.test(index) ? BigInt(index) + 1n : 0n
  if (length > (lengths.get(word) ?? 0n)) lengths.set(word, length)
}

function writesOf({ path, type, slot, offset }: StorageItem, text: string): SlotWrite[] {
  const { encoding, label, numberOfBytes: bytes } = type
  if (encoding === 'bytes') return writesOfText(path, slot, bytesOf(path, label, text))
  if (encoding !== 'inplace' || type.members || type.base !== undefined)
    throw new StorageQueryError(`${path} is a ${label}: name a part of it`)
  const value = parseValue(label, bytes, text)
  if (value === undefined) throw new StorageQueryError(`${JSON.stringify(text)} is no value of ${path} (${label})`)
  return [{ slot, offset, bytes, value }]
}

function bytesOf(path: string, label: string, text: string): Buffer {
  if (label === 'string') return Buffer.from(text)
  if (!/^0x(?:[\da-f]{2})*$/i.test(text)) throw new StorageQueryError(`${path} is bytes: its value is 0x-hex`)
  return Buffer.from(text.slice(2), 'hex')
}

/** A short text is in its slot, with twice its length in the low byte; a longer one in the slots of its data. */
function writesOfText(path: string, slot: bigint, text: Buffer): SlotWrite[] {
  const words = Array.from({ length: Math.ceil(text.length / 32) }, (_, index) =>
    BigInt(
      `0x${text
        .subarray(index * 32, index * 32 + 32)
        .toString('hex')
        .padEnd(64, '0')}`,
    ),
  )
  const whole = (at: bigint, value: bigint): SlotWrite => ({ slot: wrap(at), offset: 0, bytes: 32, value })
  if (text.length > textLimit) throw new StorageQueryError(`${path} would have more than ${textLimit} bytes`)
  if (text.length < 32) return [whole(slot, (words[0] ?? 0n) | BigInt(text.length * 2))]
  const first = dataSlot(slot)
  return [whole(slot, BigInt(text.length * 2 + 1)), ...words.map((word, index) => whole(first + BigInt(index), word))]
}

/** Longest text or bytes. */
const textLimit = 10_000
