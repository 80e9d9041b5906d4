import { packRows } from '../opcodes.ts'
import type { Fork } from '../port.ts'
import { identityPrice } from './precompilePrices.ts'
import type { Prices } from './prices.ts'

/** What the engine multiplies and adds up, in the order of assembly/gas.ts. */
const wordsOf = (prices: Prices): readonly number[] => {
  const identity = identityPrice(prices)
  return [
    prices.warmAccess,
    prices.coldSload - prices.warmAccess,
    prices.coldSstore,
    prices.sstoreSet,
    prices.sstoreReset,
    prices.refundClear,
    prices.coldAccount,
    prices.coldAccount - prices.warmAccess,
    prices.callValue,
    prices.callStipend,
    prices.newAccount,
    prices.selfdestructNewAccount,
    prices.refundSelfdestruct,
    prices.logByte,
    prices.keccakWord,
    prices.expByte,
    prices.codeByte,
    prices.codeWord,
    prices.initcodeWord,
    prices.copyWord,
    prices.memoryWord,
    prices.accountState,
    prices.slotState,
    prices.codeByteState,
    identity.base,
    identity.perWord,
    identity.perByte,
  ]
}

/** Prices as the engine has them in its memory: a row for each operation, and the words of assembly/gas.ts. */
export type EngineTables = { rows: Uint8Array; words: Uint8Array }

const tables = new WeakMap<Prices, EngineTables>()

/** The prices are of one fork (`pricesOf`). */
export function engineTables(fork: Fork, prices: Prices): EngineTables {
  const known = tables.get(prices) ?? {
    rows: packRows(fork, prices),
    words: new Uint8Array(BigInt64Array.from(wordsOf(prices), BigInt).buffer),
  }
  tables.set(prices, known)
  return known
}
