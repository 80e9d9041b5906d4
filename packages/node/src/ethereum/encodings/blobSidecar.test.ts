import { createHash } from 'node:crypto'
import { RLP } from '@ethereumjs/rlp'
import { bytesToHex, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { splitSidecar, withSidecar } from './blobSidecar.ts'

const commitment = new Uint8Array(48).fill(7)
const hash = createHash('sha256').update(commitment).digest()
hash[0] = 1
const fields = [
  ...Array.from({ length: 10 }, () => new Uint8Array([1])),
  [hash],
  ...Array.from({ length: 3 }, () => new Uint8Array([2])),
]
const [blob, proof] = [new Uint8Array(131_072), new Uint8Array(48)]
const cells = Array.from({ length: 128 }, () => proof)
const version = new Uint8Array([1])
const encoded = (items: Parameters<typeof RLP.encode>[0]): Hex => `0x03${bytesToHex(RLP.encode(items)).slice(2)}`

it.each([
  ['with a proof for each blob', [fields, [blob], [commitment], [proof]]],
  ['with cell proofs', [fields, version, [blob], [commitment], cells]],
  ['without blobs', fields],
])('a blob transaction is taken %s', (_, items) => {
  const { encoded: bare, sidecar } = splitSidecar(encoded(items))
  expect(bare).toBe(encoded(fields))
  expect(sidecar ? withSidecar(bare, sidecar) : bare).toBe(encoded(items))
})

it.each([
  [
    'commitments of other blobs',
    [fields, [blob], [proof], [proof]],
    /^blob 0: computed hash 0x01\w+ mismatches transaction one 0x01/,
  ],
  [
    'too few proofs',
    [fields, version, [blob], [commitment], [proof]],
    /^invalid number of 1 blob proofs expected 128$/,
  ],
  ['no blobs', [fields, [], [], []], /^invalid number of 0 blobs compared to 1 blob hashes$/],
  ['an unknown version', [fields, new Uint8Array([2]), [blob], [commitment], cells], /unknown version/],
  ['another form', [fields, blob, [commitment], [proof]], /another form/],
  ['a short blob', [fields, [proof], [commitment], [proof]], /has an item of 48 bytes instead of 131072/],
  ['too many lists', [fields, [blob], [commitment], [proof], [proof], [proof]], /another form/],
])('a sidecar is refused with %s', (_, items, message) => {
  expect(() => splitSidecar(encoded(items as Parameters<typeof RLP.encode>[0]))).toThrow(message)
})
