import type { NamedValue } from '../lib/abi/value.ts'
import { Values } from './Values.tsx'

/** A function, an event or an error with its arguments, as the network decoded it. */
export type DecodedItem = { name: string; signature: string; args: NamedValue[] | null }

export function DecodedArgs({ item }: { item: DecodedItem }) {
  return item.args && item.args.length > 0 ? <Values values={item.args} /> : <span className="text-soft">None</span>
}
