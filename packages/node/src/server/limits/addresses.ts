/** Programs on this machine, including proxies. */
export const thisMachine = 'this machine'

/**
 * The key for limits by address. An IPv6 client has 2^64 addresses, so addresses with the same first half count as one.
 * `address` is `undefined` for a closed connection.
 */
export function holderOfAddress(address = ''): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/, '')
  if (mapped === '127.0.0.1' || mapped === '::1') return thisMachine
  if (!mapped.includes(':')) return mapped
  const zeros = '0:'.repeat(9 - mapped.split(':').length)
  return mapped.replace('::', `:${zeros}`).split(':').slice(0, 4).join(':')
}
