const shown = new WeakSet<object>()

/** Records that a part of the page shows an error. */
export function markShown(error: unknown): void {
  if (typeof error === 'object' && error !== null) shown.add(error)
}

/** Whether a part of the page has shown an error: then no toast repeats it. */
export const isShown = (error: unknown): boolean => typeof error === 'object' && error !== null && shown.has(error)
