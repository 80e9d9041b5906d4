export type Toast = {
  id: number
  tone: 'good' | 'bad'
  title: string
  advice?: string
  undo?: () => void
  /** The transaction that it is about, by hash. */
  transaction?: string
}

const shownMs = { good: 3500, bad: 9000 }
/** There must be time to read what was done, and to undo it. */
const undoMs = 9000
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  get: () => toasts,
}

/** Shows a notification in the corner of the page. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = ++lastId
  change([...toasts.slice(-3), { ...toast, id }])
  setTimeout(() => dismissToast(id), toast.undo || toast.transaction ? undoMs : shownMs[toast.tone])
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
