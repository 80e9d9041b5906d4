/** Programs on this machine, a proxy among them. */
export const thisMachine = 'this machine'

/**
 * Who shares limits by address. With an IPv6 address come 2^64 of them: those with the same first half are one.
 * `address` is `undefined` for a connection that is closed already.
 */
export function holderOfAddress(address = ''): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/, '')
  if (mapped === '127.0.0.1' || mapped === '::1') return thisMachine
  if (!mapped.includes(':')) return mapped
  const zeros = '0:'.repeat(9 - mapped.split(':').length)
  return mapped.replace('::', `:${zeros}`).split(':').slice(0, 4).join(':')
}
