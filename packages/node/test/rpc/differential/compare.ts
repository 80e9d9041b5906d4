/** A path at which two answers differ, such as `result.logs[].blockHash`, with what stands there. */
export type Difference = { path: string; values: string }

/** Addresses and bytes are alike in any case. */
export function differences(ours: unknown, theirs: unknown, path = ''): Difference[] {
  if (isObject(ours) && isObject(theirs)) {
    const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
    return keys.flatMap((key) => differences(ours[key], theirs[key], path === '' ? key : `${path}.${key}`))
  }
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    if (ours.length !== theirs.length) return [{ path: `${path}.length`, values: `${ours.length} / ${theirs.length}` }]
    return ours.flatMap((each, index) => differences(each, theirs[index], `${path}[]`))
  }
  const plain = (value: unknown) => (typeof value === 'string' && /^0x/i.test(value) ? value.toLowerCase() : value)
  return plain(ours) === plain(theirs) ? [] : [{ path, values: `${inFewWords(ours)} / ${inFewWords(theirs)}` }]
}

function inFewWords(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
