import { createHash } from 'node:crypto'

/** The UUID of a vnet: always the same for the same network. It is a hash, as the id of a branch has more bits than a UUID. */
export function vnetIdOf(network: string): string {
  const bytes = createHash('sha256').update(`vnet ${network}`).digest().subarray(0, 16)
  // Version 8 and the variant of RFC 9562: readers of UUIDs check them.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
