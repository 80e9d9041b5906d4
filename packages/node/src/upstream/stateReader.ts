import { setMaxListeners } from 'node:events'
import type { Address, Hex, Word } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex, quantity } from '../shared/hex.ts'
import type { FetchedState, StateReader, WantedState } from './baseState.ts'
import type { Request } from './requests.ts'

/** Makes the reader of upstream's state: each value is one call, and all of them go out in the same tick, so in one batch. */
export function createStateReader(request: Request): StateReader {
  return async (block, wanted, signal) => {
    const tag = quantity(block)
    const fetched: FetchedState = { accounts: new Map(), slots: new Map(), blockHashes: new Map() }
    // When one read fails, the others are not waited for.
    const controller = new AbortController()
    const options = { signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal }
    // One listener for each value that is read: no leak.
    setMaxListeners(0, options.signal)

    const readAccount = async (address: Address) => {
      const [balance, nonce, code] = await Promise.all([
        request<Hex>('eth_getBalance', [address, tag], options),
        request<Hex>('eth_getTransactionCount', [address, tag], options),
        request<Hex>('eth_getCode', [address, tag], options),
      ])
      const account = { balance: numberFrom(balance), nonce: numberFrom(nonce), code: bytesFromHex(code) }
      fetched.accounts.set(address, account)
    }
    const readSlot = async (address: Address, slot: Word) => {
      const value = numberFrom(await request<Hex>('eth_getStorageAt', [address, slot, tag], options))
      const values = fetched.slots.get(address) ?? new Map<Word, bigint>()
      fetched.slots.set(address, values.set(slot, value))
    }
    const readBlockHash = async (number: bigint) => {
      const header = await request<{ hash: Word } | null>('eth_getBlockByNumber', [quantity(number), false], options)
      if (!header) throw new NetworkError('UPSTREAM_ERROR', { problem: `it has no block ${number}` })
      fetched.blockHashes.set(number, header.hash)
    }

    try {
      await Promise.all([
        ...addressesOf(wanted).map(readAccount),
        ...wanted.slots.map(([address, slot]) => readSlot(address, slot)),
        ...wanted.blockHashes.map(readBlockHash),
      ])
    } catch (error) {
      controller.abort(error)
      throw error
    }
    return fetched
  }
}

function addressesOf({ accounts, codes }: WantedState): Address[] {
  return [...new Set([...accounts, ...codes])]
}

/** Some servers answer `0x` for a slot that is empty. */
function numberFrom(hex: Hex): bigint {
  return hex === '0x' ? 0n : BigInt(hex)
}
