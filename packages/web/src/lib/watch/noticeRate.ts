/** Notices in a window, at most. */
const limit = 5
const windowMs = 10_000

/** Bounds how often notices are shown: `last` is the one that says that there are more. Times are in milliseconds. */
export function createNoticeRate(): (now: number) => 'show' | 'last' | 'drop' {
  let shown: number[] = []
  return (now) => {
    shown = shown.filter((at) => now - at < windowMs)
    if (shown.length >= limit) return 'drop'
    shown.push(now)
    return shown.length === limit ? 'last' : 'show'
  }
}
