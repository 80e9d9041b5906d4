const name = 'understudy.key'

/** The key with which this browser asks, when the network wants one. It stays in this browser. */
export const apiKey = {
  get: (): string => localStorage.getItem(name) ?? '',
  set(key: string): void {
    if (key) localStorage.setItem(name, key)
    else localStorage.removeItem(name)
  },
}
