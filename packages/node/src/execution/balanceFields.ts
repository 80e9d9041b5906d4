import type { Address, BlockContext, Word } from '@understudy/evm'
import { emptyDiff } from '../state/diff.ts'
import { Overlay } from '../state/overlay.ts'
import { type LoadingView, loadStorage } from '../state/view.ts'

/** Which fields of which slots hold what a token answers, found by changing them. */

/** The location of a token balance: a bit field of a slot, in any contract. */
export type BalanceSlot = {
  contract: Address
  slot: Word
  /** The lowest bit of the field. */
  shift: bigint
  /** The width of the field in bits. */
  width: bigint
}

/** A slot. */
export type SlotLocation = { contract: Address; slot: Word }
/** The new word of a slot. */
export type Written = SlotLocation & { value: bigint }
/** A field of a slot, and its value. */
export type Field = BalanceSlot & { word: bigint; value: bigint }

export type Probe = {
  view: LoadingView
  block: BlockContext
  balance: bigint
  /** What is read for this account only. */
  own: SlotLocation[]
  /** What is read for every account. */
  shared: SlotLocation[]
  /** What the function answers on a state; `undefined` if it fails. */
  answer(view: LoadingView): Promise<bigint | undefined>
}

/** A delta that is larger than any rounding of shares. */
export const probeDelta = 1_000_000_007n
/** Most slots that an error names. */
const shownSlots = 8

/** The slots of the account on which the answer depends, for an error. */
export async function seenSlots({ view, balance, own, answer }: Probe): Promise<string> {
  const seen: string[] = []
  for (const { contract, slot } of own)
    if ((await changes({ contract, slot }, view, balance, answer)).length > 0) seen.push(`${slot} of ${contract}`)
  if (seen.length === 0) return ''
  return `. It depends on ${seen.slice(0, shownSlots).join(', ')}${seen.length > shownSlots ? ', and others' : ''}`
}

const slotDiff = (contract: Address, slot: Word, value: bigint) => ({
  ...emptyDiff(),
  slots: new Map([[contract, new Map([[slot, value]])]]),
})

export function withSlot(view: LoadingView, contract: Address, slot: Word, value: bigint): Overlay {
  const overlay = new Overlay(view)
  overlay.apply(slotDiff(contract, slot, value))
  return overlay
}

export const isSame = (a: SlotLocation, b: SlotLocation) => a.contract === b.contract && a.slot === b.slot

/** The answers that differ from `expected` when the word of a slot does: `undefined` where the call fails. */
export async function changes(
  { contract, slot }: SlotLocation,
  view: LoadingView,
  expected: bigint,
  answer: Probe['answer'],
): Promise<(bigint | undefined)[]> {
  const word = await loadStorage(view, contract, slot)
  const others = [0n, ~word, word + 1n, word * 2n, word + probeDelta].map((value) => BigInt.asUintN(256, value))
  const answers: (bigint | undefined)[] = []
  for (const value of new Set(others))
    if (value !== word) answers.push(await answer(withSlot(view, contract, slot, value)))
  return answers.filter((value) => value !== expected)
}

/** The slots of the account with which the answer changes. */
export async function answeringSlots({ view, balance, own, answer }: Probe): Promise<SlotLocation[]> {
  const found: SlotLocation[] = []
  for (const location of own) if ((await changes(location, view, balance, answer)).length > 0) found.push(location)
  return found
}

export async function findFields(locations: readonly SlotLocation[], probe: Probe): Promise<Field[]> {
  const found: Field[] = []
  for (const location of locations) {
    const field = await findField(location, probe)
    if (field) found.push(field)
  }
  return found
}

/** The part of a slot with which the answer grows by as much: the balance, or a summand of it. */
export async function findField(location: SlotLocation, { view, balance, answer }: Probe): Promise<Field | undefined> {
  const { contract, slot } = location
  const word = await loadStorage(view, contract, slot)
  const answerTo = (value: bigint) =>
    value >> 256n === 0n ? answer(withSlot(view, contract, slot, value)) : Promise.resolve(undefined)
  for (let shift = 0n; shift < 256n; shift++) {
    const answersWith = async (delta: bigint) => (await answerTo(word + (delta << shift))) === balance + delta
    if (!(await answersWith(1n)) || !(await answersWith(probeDelta))) continue
    // Clearing and setting every bit from there on shows in the answers how many bits the field has.
    const ones = (1n << (256n - shift)) - 1n
    const least = (await answerTo(word & ~(ones << shift))) ?? 0n
    const most = await answerTo(word | (ones << shift))
    const largest = most === undefined || most < least ? ones : most - least
    const width = BigInt(largest.toString(2).length)
    if (largest !== (1n << width) - 1n) continue
    return { ...location, word, shift, width, value: (word >> shift) & largest }
  }
  return undefined
}

/** The same, also where the field has its largest value, so that the answer cannot grow. */
export async function findFullField(location: SlotLocation, probe: Probe): Promise<Field | undefined> {
  const found = await findField(location, probe)
  if (found) return found
  const { contract, slot } = location
  const view = withSlot(probe.view, contract, slot, 0n)
  const balance = await probe.answer(view)
  const field = balance === undefined ? undefined : await findField(location, { ...probe, view, balance })
  if (!field) return undefined
  const word = await loadStorage(probe.view, contract, slot)
  return { ...field, word, value: (word >> field.shift) & ((1n << field.width) - 1n) }
}

/** Sets fields of which the answer is the sum, as few as it takes, so that it is `amount`; `undefined` if that fails. */
export async function setFields(
  fields: readonly Field[],
  { view, balance, answer }: Probe,
  amount: bigint,
): Promise<Written[] | undefined> {
  const overlay = new Overlay(view)
  const written: Written[] = []
  let current = balance
  for (const { contract, slot, word, shift, width, value } of [...fields].sort((a, b) =>
    a.value < b.value ? 1 : -1,
  )) {
    const wanted = value + amount - current
    const largest = (1n << width) - 1n
    const next = wanted < 0n ? 0n : wanted > largest ? largest : wanted
    const changed = (word & ~(largest << shift)) | (next << shift)
    overlay.apply(slotDiff(contract, slot, changed))
    written.push({ contract, slot, value: changed })
    const answered = await answer(overlay)
    if (answered === undefined) return undefined
    if (answered === amount) return written
    current = answered
  }
  return undefined
}

/** Runs that look for a value with which a function answers an amount. */
const stepLimit = 16

/**
 * The value of a slot with which a function answers `amount`, if the answer grows in proportion to it, as with shares.
 * `near` collects what it answers else.
 */
export async function invert(
  at: (value: bigint) => Promise<bigint | undefined>,
  word: bigint,
  balance: bigint,
  amount: bigint,
  near: Set<bigint>,
): Promise<bigint | undefined> {
  const isWord = (value: bigint) => value >= 0n && value >> 256n === 0n
  // The farther the other point, the more exact the slope.
  let far: { value: bigint; answered: bigint } | undefined
  for (let bits = 200n; bits >= 32n && !far; bits -= 8n) {
    const value = word + (1n << bits)
    const answered = isWord(value) ? await at(value) : undefined
    if (answered !== undefined && answered - balance > 1n << 24n) far = { value, answered }
  }
  if (!far) return undefined
  const [distance, growth] = [far.value - word, far.answered - balance]
  let [value, answered] = [word, balance]
  const tried = new Set([word])
  for (let step = 0; step < stepLimit; step++) {
    const moved = ((amount - answered) * distance) / growth
    const next = value + (moved === 0n ? (amount > answered ? 1n : -1n) : moved)
    value = next < 0n ? 0n : next
    if (!isWord(value) || tried.has(value)) return undefined
    tried.add(value)
    const found = await at(value)
    if (found === undefined) return undefined
    if (found === amount) return value
    near.add(found)
    answered = found
  }
  return undefined
}
