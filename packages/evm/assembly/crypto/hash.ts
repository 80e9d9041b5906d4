// The hash of the tables. It is keyed, so that no contract can choose keys that fall into one chain.

let seed0: u64 = 0x9e3779b97f4a7c15
let seed1: u64 = 0xc2b2ae3d27d4eb4f

/** Set once by the host, before anything is stored. */
export function setSeed(a: u64, b: u64): void {
  seed0 = a
  seed1 = b
}

@inline
function mix(h: u64, value: u64): u64 {
  const x = (h ^ value) * 0xff51afd7ed558ccd
  return x ^ (x >> 32)
}

/** A hash of `bits` bits of a word and the number that goes with it. */
@inline
export function hashWord(word: usize, extra: u64, bits: u32): usize {
  let h = mix(seed0 ^ extra, load<u64>(word))
  h = mix(h, load<u64>(word, 8) ^ seed1)
  h = mix(h, load<u64>(word, 16) + seed0)
  h = mix(h, load<u64>(word, 24) ^ seed1)
  return <usize>((h * 0x9e3779b97f4a7c15) >> (64 - bits))
}
