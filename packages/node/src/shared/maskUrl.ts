/** A URL without possible secrets: credentials, keys in the path, query values. */
export function maskUrl(url: string): string {
  if (!URL.canParse(url)) return '***'
  const { protocol, username, password, host, pathname, searchParams } = new URL(url)
  const path = pathname
    .split('/')
    .map((segment) => (segment.length >= 16 ? '***' : segment))
    .join('/')
  const query = [...searchParams.keys()].map((name) => `${name}=***`).join('&')
  return `${protocol}//${username || password ? '***@' : ''}${host}${path === '/' ? '' : path}${query ? `?${query}` : ''}`
}
