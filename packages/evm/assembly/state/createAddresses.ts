// The addresses of contracts that transactions and other contracts create.
import { keccak } from '../crypto/keccak'
import { SCRATCH } from '../layout'
import { toAddressBytes, toBytes, truncateToAddress } from '../words/words'

/** keccak(rlp([sender, nonce])), the low 20 bytes. */
export function createAddress(to: usize, sender: usize, nonce: u64): void {
  const rlp = SCRATCH + 0x380
  store<u8>(rlp, 0x94, 1)
  toAddressBytes(rlp + 2, sender)
  let length: u32 = 22
  if (nonce == 0) {
    store<u8>(rlp + length++, 0x80)
  } else if (nonce < 0x80) {
    store<u8>(rlp + length++, <u8>nonce)
  } else {
    const bytes = 8 - <u32>(clz<u64>(nonce) >> 3)
    store<u8>(rlp + length++, <u8>(0x80 + bytes))
    for (let i: u32 = bytes; i > 0; i--) store<u8>(rlp + length++, <u8>(nonce >> ((i - 1) << 3)))
  }
  store<u8>(rlp, <u8>(0xc0 + length - 1))
  keccak(rlp, length, to)
  truncateToAddress(to)
}

/** keccak(0xff ++ sender ++ salt ++ keccak(initcode)), the low 20 bytes (EIP-1014). */
export function create2Address(to: usize, sender: usize, salt: usize, initcode: usize, length: u32): void {
  const preimage = SCRATCH + 0x380
  keccak(initcode, length, to)
  store<u8>(preimage, 0xff)
  toAddressBytes(preimage + 1, sender)
  toBytes(preimage + 21, salt)
  toBytes(preimage + 53, to)
  keccak(preimage, 85, to)
  truncateToAddress(to)
}
