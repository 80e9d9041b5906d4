import type { Address, Hex, Prices, Word } from '@understudy/evm'
import { addressFromNumber } from '../../../shared/hex.ts'

/** The prices that are one number. */
export type PriceName = Exclude<keyof Prices, 'precompiles'>

/** What the gas of a piece of code shows: so many times a price, after all others that it pays have their values. */
export type Shown =
  | {
      price: PriceName
      count: number
      /** Another price that it pays, so many times as rarely that both can be told of one number. */
      also?: readonly [price: PriceName, count: number]
      /** What it shows instead where nothing else shows that. */
      otherwise?: PriceName
      /** Only where state gas is a gas of its own (EIP-8037), or only where it is not. */
      hasStateGas?: boolean
    }
  | { precompile: Address; words: number; isLarge: boolean }
  /** Nothing of its own: it must come out by the prices that others show. In words, what differs if it does not. */
  | { check: string }

/** What accounts have while it is measured, whatever they are on the chain. */
export type MeasuredAccount = { code?: Hex; balance?: bigint; nonce?: bigint; slots?: ReadonlyMap<bigint, bigint> }

export const account = (index: number): Address => addressFromNumber(0xfe0b_e100n + BigInt(index))

/** Sends the calls. */
export const sender = account(0)
/** Calls each group. */
export const collector = account(1)
/** Answers the gas that it began with. */
export const reporter = account(2)
/** It has no code. */
export const plainAccount = account(3)
/** Spends much gas, so that refunds are not limited, and then clears a slot. */
export const clearer = account(4)
/** Spends much gas, so that calldata has its own price. */
export const spender = account(5)

/** An authorization as a request has it, and who signed it. */
export type MeasuredAuthorization = {
  chainId: bigint
  address: Address
  nonce: bigint
  yParity: 0 | 1
  r: Word
  s: Word
  authority: Address
}

/** A transaction of the sender, whose gas as a whole is a measure. */
export type MeasuredTransaction = {
  shows: Shown
  to: Address
  value?: bigint
  data?: Hex
  accessList?: readonly { address: Address; storageKeys: readonly Word[] }[]
  authorizationList?: readonly MeasuredAuthorization[]
}
