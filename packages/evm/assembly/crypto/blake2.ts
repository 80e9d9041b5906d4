// The compression function of BLAKE2b (RFC 7693) with any number of rounds (EIP-152), which no library offers.

const IV = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
  0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
])

const SIGMA = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3, 11, 8, 12, 0, 5,
  2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8, 9, 0, 5, 7, 2, 4, 10, 15, 14, 1,
  11, 12, 6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9, 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8,
  11, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5, 10, 2, 8, 4,
  7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
])

/** Word `index` of the message that round schedule `s` names. */
@inline
function word(message: usize, s: usize, index: usize): u64 {
  return load<u64>(message + ((<usize>load<u8>(s + index)) << 3))
}

/** Where the working vector is between two parts of the rounds. */
const VECTOR: usize = memory.data(128, 8)

/**
 * Rounds [from, to) of `rounds`. `input` is the precompile's after the rounds: h (64 bytes), m (128), t (16), f (1), all
 * little-endian. After the last round the new h is at `output`. The working vector is in locals, and a half round mixes its four
 * columns or diagonals side by side.
 */
export function blake2(from: u32, to: u32, rounds: u32, input: usize, output: usize): void {
  if (from == 0) begin(input)
  const message = input + 64
  let v0 = load<u64>(VECTOR, 0)
  let v1 = load<u64>(VECTOR, 8)
  let v2 = load<u64>(VECTOR, 16)
  let v3 = load<u64>(VECTOR, 24)
  let v4 = load<u64>(VECTOR, 32)
  let v5 = load<u64>(VECTOR, 40)
  let v6 = load<u64>(VECTOR, 48)
  let v7 = load<u64>(VECTOR, 56)
  let v8 = load<u64>(VECTOR, 64)
  let v9 = load<u64>(VECTOR, 72)
  let v10 = load<u64>(VECTOR, 80)
  let v11 = load<u64>(VECTOR, 88)
  let v12 = load<u64>(VECTOR, 96)
  let v13 = load<u64>(VECTOR, 104)
  let v14 = load<u64>(VECTOR, 112)
  let v15 = load<u64>(VECTOR, 120)
  for (let round = from; round < to; round++) {
    const s = SIGMA + (<usize>(round % 10) << 4)
    // columns
    v0 += v4 + word(message, s, 0)
    v1 += v5 + word(message, s, 2)
    v2 += v6 + word(message, s, 4)
    v3 += v7 + word(message, s, 6)
    v12 = rotr<u64>(v12 ^ v0, 32)
    v13 = rotr<u64>(v13 ^ v1, 32)
    v14 = rotr<u64>(v14 ^ v2, 32)
    v15 = rotr<u64>(v15 ^ v3, 32)
    v8 += v12
    v9 += v13
    v10 += v14
    v11 += v15
    v4 = rotr<u64>(v4 ^ v8, 24)
    v5 = rotr<u64>(v5 ^ v9, 24)
    v6 = rotr<u64>(v6 ^ v10, 24)
    v7 = rotr<u64>(v7 ^ v11, 24)
    v0 += v4 + word(message, s, 1)
    v1 += v5 + word(message, s, 3)
    v2 += v6 + word(message, s, 5)
    v3 += v7 + word(message, s, 7)
    v12 = rotr<u64>(v12 ^ v0, 16)
    v13 = rotr<u64>(v13 ^ v1, 16)
    v14 = rotr<u64>(v14 ^ v2, 16)
    v15 = rotr<u64>(v15 ^ v3, 16)
    v8 += v12
    v9 += v13
    v10 += v14
    v11 += v15
    v4 = rotr<u64>(v4 ^ v8, 63)
    v5 = rotr<u64>(v5 ^ v9, 63)
    v6 = rotr<u64>(v6 ^ v10, 63)
    v7 = rotr<u64>(v7 ^ v11, 63)
    // diagonals
    v0 += v5 + word(message, s, 8)
    v1 += v6 + word(message, s, 10)
    v2 += v7 + word(message, s, 12)
    v3 += v4 + word(message, s, 14)
    v15 = rotr<u64>(v15 ^ v0, 32)
    v12 = rotr<u64>(v12 ^ v1, 32)
    v13 = rotr<u64>(v13 ^ v2, 32)
    v14 = rotr<u64>(v14 ^ v3, 32)
    v10 += v15
    v11 += v12
    v8 += v13
    v9 += v14
    v5 = rotr<u64>(v5 ^ v10, 24)
    v6 = rotr<u64>(v6 ^ v11, 24)
    v7 = rotr<u64>(v7 ^ v8, 24)
    v4 = rotr<u64>(v4 ^ v9, 24)
    v0 += v5 + word(message, s, 9)
    v1 += v6 + word(message, s, 11)
    v2 += v7 + word(message, s, 13)
    v3 += v4 + word(message, s, 15)
    v15 = rotr<u64>(v15 ^ v0, 16)
    v12 = rotr<u64>(v12 ^ v1, 16)
    v13 = rotr<u64>(v13 ^ v2, 16)
    v14 = rotr<u64>(v14 ^ v3, 16)
    v10 += v15
    v11 += v12
    v8 += v13
    v9 += v14
    v5 = rotr<u64>(v5 ^ v10, 63)
    v6 = rotr<u64>(v6 ^ v11, 63)
    v7 = rotr<u64>(v7 ^ v8, 63)
    v4 = rotr<u64>(v4 ^ v9, 63)
  }
  store<u64>(VECTOR, v0, 0)
  store<u64>(VECTOR, v1, 8)
  store<u64>(VECTOR, v2, 16)
  store<u64>(VECTOR, v3, 24)
  store<u64>(VECTOR, v4, 32)
  store<u64>(VECTOR, v5, 40)
  store<u64>(VECTOR, v6, 48)
  store<u64>(VECTOR, v7, 56)
  store<u64>(VECTOR, v8, 64)
  store<u64>(VECTOR, v9, 72)
  store<u64>(VECTOR, v10, 80)
  store<u64>(VECTOR, v11, 88)
  store<u64>(VECTOR, v12, 96)
  store<u64>(VECTOR, v13, 104)
  store<u64>(VECTOR, v14, 112)
  store<u64>(VECTOR, v15, 120)
  if (to != rounds) return
  for (let i: usize = 0; i < 64; i += 8) {
    store<u64>(output + i, load<u64>(input + i) ^ load<u64>(VECTOR + i) ^ load<u64>(VECTOR + i, 64))
  }
}

function begin(input: usize): void {
  memory.copy(VECTOR, input, 64)
  memory.copy(VECTOR + 64, IV, 64)
  store<u64>(VECTOR, load<u64>(VECTOR, 96) ^ load<u64>(input, 192), 96)
  store<u64>(VECTOR, load<u64>(VECTOR, 104) ^ load<u64>(input, 200), 104)
  if (load<u8>(input, 208) != 0) store<u64>(VECTOR, ~load<u64>(VECTOR, 112), 112)
}
