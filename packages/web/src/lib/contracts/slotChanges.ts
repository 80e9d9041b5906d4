import { type Hex, hexToBigInt } from 'viem'
import { formatInteger } from '../../format/amount.ts'
import { shorten } from '../../format/hash.ts'
import { readVariable, type SlotVariable } from './slotVariable.ts'

/** How the value of a slot, or of a variable in it, changed. `difference` is of whole numbers. */
export type SlotChange = { name: string; before: string; after: string; difference: string | undefined }

/** One for each variable of the slot that changed; one for the slot when its variables are unknown. */
export function slotChanges(
  slot: Hex,
  before: Hex,
  after: Hex,
  variables: readonly SlotVariable[] | undefined,
): SlotChange[] {
  if (!variables)
    return [{ name: `slot ${shorten(slot)}`, before: word(before), after: word(after), difference: undefined }]
  return variables
    .map((variable) => ({ ...variable, from: readVariable(before, variable), to: readVariable(after, variable) }))
    .filter(({ from, to }) => from !== to)
    .map(({ path, from, to }) => ({ name: path, before: from, after: to, difference: differenceOf(from, to) }))
}

/** Small values as numbers, others as hex. */
function word(hex: Hex): string {
  const value = hexToBigInt(hex)
  return value < 2n ** 128n ? formatInteger(value) : hex
}

/** Of two whole numbers as text; `undefined` for anything else. */
function differenceOf(from: string, to: string): string | undefined {
  const [before, after] = [from, to].map((text) => text.replaceAll(',', ''))
  if (!isWhole(before) || !isWhole(after)) return undefined
  const difference = BigInt(after) - BigInt(before)
  return `${difference > 0n ? '+' : '−'}${formatInteger(difference < 0n ? -difference : difference)}`
}

const isWhole = (text: string | undefined): text is string => text !== undefined && /^-?\d+$/.test(text)
