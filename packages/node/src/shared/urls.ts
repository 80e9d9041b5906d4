/** Whether a host to listen on, or a name in a `Host` header, refers only to this machine. */
export function isLoopback(host: string): boolean {
  const name = withoutBrackets(host)
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}

/** The name in a `Host` header, lowercase, without the port. */
export function nameFromHostHeader(header: string): string {
  return withoutBrackets(header.replace(/:\d*$/, ''))
}

/** A host in URL syntax. An address for all interfaces is replaced with loopback. */
export function hostInUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::' || host === '[::]') return '[::1]'
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

function withoutBrackets(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
}

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
