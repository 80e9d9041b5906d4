const name = 'understudy.key'

/** The API key, kept in this browser. Empty when there is none. */
export const apiKey = {
  get: (): string => localStorage.getItem(name) ?? '',
  set(key: string): void {
    if (key) localStorage.setItem(name, key)
    else localStorage.removeItem(name)
  },
}
