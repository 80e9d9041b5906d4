/** A value of plain data as JSON: bigints are decimal texts, and what is not known is null. */
type Wire<Value> = Value extends bigint
  ? string
  : Value extends undefined
    ? null
    : Value extends readonly (infer Item)[]
      ? Wire<Item>[]
      : Value extends object
        ? { [Name in keyof Value]: Wire<Value[Name]> }
        : Value

export function wireOf<Value>(value: Value): Wire<Value> {
  return converted(value) as Wire<Value>
}

function converted(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value === undefined) return null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(converted)
  const result: Record<string, unknown> = {}
  for (const name in value) result[name] = converted(value[name as never])
  return result
}
