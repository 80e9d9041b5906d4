import type { Address, Hex, StateDiff, Word } from '@understudy/evm'
import { bytesFromHex, hexFromBytes } from '../../../shared/hex.ts'

type StoredDiff = {
  accounts: [Address, { balance?: string; nonce?: string; code?: Hex }][]
  cleared: Address[]
  slots: [Address, [Word, string][]][]
}

/** A diff as JSON. */
export function encodeDiff({ accounts, cleared, slots }: StateDiff): string {
  const stored: StoredDiff = {
    accounts: [...accounts].map(([address, { balance, nonce, code }]) => [
      address,
      {
        ...(balance !== undefined && { balance: String(balance) }),
        ...(nonce !== undefined && { nonce: String(nonce) }),
        ...(code !== undefined && { code: hexFromBytes(code) }),
      },
    ]),
    cleared: [...cleared],
    slots: [...slots].map(([address, values]) => [address, [...values].map(([slot, each]) => [slot, String(each)])]),
  }
  return JSON.stringify(stored)
}

export function decodeDiff(text: string): StateDiff {
  const { accounts, cleared, slots } = JSON.parse(text) as StoredDiff
  return {
    accounts: new Map(
      accounts.map(([address, { balance, nonce, code }]) => [
        address,
        {
          ...(balance !== undefined && { balance: BigInt(balance) }),
          ...(nonce !== undefined && { nonce: BigInt(nonce) }),
          ...(code !== undefined && { code: bytesFromHex(code) }),
        },
      ]),
    ),
    cleared: new Set(cleared),
    slots: new Map(
      slots.map(([address, values]) => [address, new Map(values.map(([slot, each]) => [slot, BigInt(each)]))]),
    ),
  }
}
