import { basename } from 'node:path'

/** Whether a URL is that of a local socket: `ipc:///path`. */
export const isLocalSocket = ({ protocol }: URL): boolean => protocol === 'ipc:'

/** The name of a URL in logs and errors: without path, query and user, where providers put their keys. */
export function endpointName(url: URL): string {
  if (url.protocol === 'file:') return `file:///${basename(url.pathname)}`
  if (isLocalSocket(url)) return `ipc:///${basename(url.pathname)}`
  const bare = url.pathname === '/' && url.search === '' && url.username === '' && url.password === ''
  return bare ? url.origin : `${url.origin}/***`
}

/** Returns a function that removes the secrets of these URLs and headers, and other texts, from texts. */
export function createRedactor(
  urls: readonly URL[],
  headers: Readonly<Record<string, string>>,
  others: readonly string[] = [],
) {
  const secrets = new Set<string>(others)
  for (const url of urls) {
    if (endpointName(url) === url.origin || isLocalSocket(url)) continue
    const { href, pathname, search, username, password } = url
    const values = search.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1))
    for (const text of [href, ...pathname.split('/'), ...values, username, password]) {
      secrets.add(text)
      secrets.add(decode(text))
    }
  }
  for (const value of Object.values(headers)) {
    for (const text of [value, ...value.split(/\s+/)]) secrets.add(text)
  }
  // Short parts such as `v2` are not keys, and would match in other words. Longest first, because one may contain
  // another.
  const found = [...secrets].filter((text) => text.length >= 6).sort((a, b) => b.length - a.length)
  return (text: string): string => found.reduce((clean, secret) => clean.replaceAll(secret, '***'), text)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
