/** The `kind` of an error that the network answered, such as `SLOT_FOLLOWED` (see docs/errors.md); `undefined` for any other error. */
export function errorKind(error: unknown): string | undefined {
  for (let each = error; typeof each === 'object' && each !== null; each = (each as { cause?: unknown }).cause) {
    const { data } = each as { data?: unknown }
    const kind = typeof data === 'object' && data !== null ? (data as { kind?: unknown }).kind : undefined
    if (typeof kind === 'string') return kind
  }
  return undefined
}
