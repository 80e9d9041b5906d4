import { Values } from './Values.tsx'
import type { NamedValue } from './value.ts'

/** What the network decoded: a function, an event or an error with its arguments. */
export type DecodedItem = { name: string; signature: string; args: NamedValue[] | null }

export function DecodedArgs({ item }: { item: DecodedItem }) {
  return item.args && item.args.length > 0 ? <Values values={item.args} /> : <span className="text-soft">none</span>
}
