/**
 * Makes a value of data once: for the same object, which is found at once, and for another one with the same text. At most `limit`
 * texts are known at a time.
 */
export function knownByText<Data extends object, Value>(
  limit: number,
  make: (data: Data) => Value,
): (data: Data) => Value {
  const byObject = new WeakMap<Data, Value>()
  const byText = new Map<string, Value>()
  return (data) => {
    const known = byObject.get(data)
    if (known !== undefined) return known
    const text = JSON.stringify(data)
    const value = byText.get(text) ?? make(data)
    if (byText.size === limit) byText.clear()
    byText.set(text, value)
    byObject.set(data, value)
    return value
  }
}
