/** What fields mean that are the same in all methods of our own, by name. */
export const commonFields: Readonly<Record<string, string>> = {
  limit: 'At most so many entries, from 1 to 200; 50 by default.',
  cursor: 'The `next` of the page before. Without a cursor, the first page.',
  fromBlock: 'Number of the first block to include.',
  toBlock: 'Number of the last block to include.',
  subject: 'Hash of a sealed transaction, or a call such as `{ to, data }`.',
  block: 'Block on whose state a call runs: a number, a hash or a tag. The latest block by default.',
  slot: 'Storage slot: a number in decimal digits or 0x-hex of at most 32 bytes.',
}
