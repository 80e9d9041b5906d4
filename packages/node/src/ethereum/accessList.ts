import { bigintFromBytes, hexFromBytes, quantity, wordFromBigint } from '../shared/hex.ts'
import { decodeRlp } from '../shared/rlp/decodeRlp.ts'

type Item = Uint8Array | Item[]
type Change = [index: Uint8Array, value: Uint8Array]

/** A block access list (EIP-7928) as `eth_getBlockAccessList` returns it, of its RLP. */
export function decodeAccessList(rlp: Uint8Array): unknown[] {
  return (decodeRlp(rlp) as Item[][]).map((account) => {
    const [address, writes, reads, balances, nonces, codes] = account as [
      Uint8Array,
      [slot: Uint8Array, changes: Change[]][],
      Uint8Array[],
      Change[],
      Change[],
      Change[],
    ]
    return {
      address: hexFromBytes(address),
      storageChanges: writes.map(([slot, changes]) => ({ key: word(slot), changes: changes.map(changeOf(word)) })),
      storageReads: reads.map(word),
      balanceChanges: balances.map(changeOf(number)),
      nonceChanges: nonces.map(changeOf(number)),
      codeChanges: codes.map(([index, code]) => ({ index: number(index), code: hexFromBytes(code) })),
    }
  })
}

const number = (bytes: Uint8Array) => quantity(bigintFromBytes(bytes))
const word = (bytes: Uint8Array) => wordFromBigint(bigintFromBytes(bytes))
const changeOf =
  (decode: (bytes: Uint8Array) => string) =>
  ([index, value]: Change) => ({ index: number(index), value: decode(value) })
