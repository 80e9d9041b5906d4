/** Where the network of a script is, whose own URL is `source`: beside it, or its `branch`, with its `key`. */
export function networkUrlOf(source: URL): string {
  const key = source.searchParams.get('key')
  const branch = source.searchParams.get('branch')
  const path = [...(branch ? ['n', encodeURIComponent(branch)] : []), ...(key ? ['rpc', encodeURIComponent(key)] : [])]
  return new URL(path.join('/'), new URL('.', source)).href.replace(/\/$/, '')
}
