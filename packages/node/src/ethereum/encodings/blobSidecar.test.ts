import { createHash } from 'node:crypto'
import { RLP } from '@ethereumjs/rlp'
import { bytesToHex } from 'viem'
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
const encoded = (items: Parameters<typeof RLP.encode>[0]) => new Uint8Array([3, ...RLP.encode(items)])

it.each([
  ['with a proof for each blob', [fields, [blob], [commitment], [proof]]],
  ['with cell proofs', [fields, version, [blob], [commitment], cells]],
  ['without blobs', fields],
])('a blob transaction is taken %s', (_, items) => {
  const { encoded: bare, sidecar } = splitSidecar(encoded(items))
  const raw = bytesToHex(bare)
  expect(bare).toEqual(encoded(fields))
  expect(sidecar ? withSidecar(raw, sidecar) : raw).toBe(bytesToHex(encoded(items)))
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
  [
    'another form',
    [fields, blob, [commitment], [proof]],
    /non-canonical integer .* in the version of the blob sidecar/,
  ],
  [
    'a short blob',
    [fields, [proof], [commitment], [proof]],
    /an item of the list of blobs has 48 bytes instead of 131072/,
  ],
  [
    'too many lists',
    [fields, [blob], [commitment], [proof], [proof], [proof]],
    /the blob sidecar has too many elements/,
  ],
])('a sidecar is refused with %s', (_, items, message) => {
  expect(() => splitSidecar(encoded(items as Parameters<typeof RLP.encode>[0]))).toThrow(message)
})
