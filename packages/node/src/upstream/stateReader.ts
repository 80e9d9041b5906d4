import { setMaxListeners } from 'node:events'
import type { Address, Word } from '@understudy/evm'
import { currentBudget } from '../shared/budget/requestBudget.ts'
import { isAnsweredError, type NetworkError } from '../shared/errors.ts'
import { quantity } from '../shared/hex.ts'
import { blockFromAnswer, bytesFromAnswer, numberFromAnswer } from './answers.ts'
import type { Request, RequestOptions } from './transport/requests.ts'
import type { Base, BlockAddress, StateReader, WantedState } from './wantedState.ts'

/** Keys of state, with each field of an account separate. */
export type WantedFields = {
  balances: readonly Address[]
  nonces: readonly Address[]
  codes: readonly Address[]
  slots: readonly (readonly [Address, Word])[]
  blockHashes: readonly bigint[]
}

export type FetchedFields = {
  balances: Map<Address, bigint>
  nonces: Map<Address, bigint>
  codes: Map<Address, Uint8Array>
  slots: Map<Address, Map<Word, bigint>>
  blockHashes: Map<bigint, Word>
}

/** Reads fields and slots at the end of a block in one round trip. If some fail, `into` still gets the others. */
export type FieldReader = (
  block: Base,
  wanted: WantedFields,
  signal?: AbortSignal,
  into?: FetchedFields,
) => Promise<FetchedFields>

export const noFields = (): FetchedFields => ({
  balances: new Map(),
  nonces: new Map(),
  codes: new Map(),
  slots: new Map(),
  blockHashes: new Map(),
})

/** Number of values requested at a time: malicious code can read tens of thousands. */
const readsAtATime = 2_000
/** Number of values with error answers after which the others are not awaited, because the problem is general. */
const errorLimit = 16

/**
 * Creates the reader of upstream's state. Each value is one call; all are sent in the same tick, and so in one batch.
 */
export function createFieldReader(request: Request, atBlock: (block: Base) => BlockAddress): FieldReader {
  async function readAt(
    tag: BlockAddress,
    wanted: WantedFields,
    fetched: FetchedFields,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    type Read = (options: RequestOptions) => Promise<unknown>
    const readField =
      <Value>(method: string, parse: (method: string, answer: unknown) => Value, to: Map<Address, Value>) =>
      (address: Address): Read =>
      async (options) =>
        to.set(address, parse(method, await request(method, [address, tag], options)))
    const readSlot =
      ([address, slot]: readonly [Address, Word]): Read =>
      async (options) => {
        const method = 'eth_getStorageAt'
        const value = numberFromAnswer(method, await request(method, [address, slot, tag], options))
        const values = fetched.slots.get(address) ?? new Map<Word, bigint>()
        fetched.slots.set(address, values.set(slot, value))
      }
    const readBlockHash =
      (number: bigint): Read =>
      async (options) => {
        const answer = await request('eth_getBlockByNumber', [quantity(number), false], options)
        fetched.blockHashes.set(number, blockFromAnswer(String(number), answer).hash)
      }

    const isLeft = (known: ReadonlyMap<Address | bigint, unknown>) => (key: Address | bigint) => !known.has(key)
    const { balances, nonces, codes, slots, blockHashes } = fetched
    const reads = [
      ...wanted.balances.filter(isLeft(balances)).map(readField('eth_getBalance', numberFromAnswer, balances)),
      ...wanted.nonces.filter(isLeft(nonces)).map(readField('eth_getTransactionCount', numberFromAnswer, nonces)),
      ...wanted.codes.filter(isLeft(codes)).map(readField('eth_getCode', bytesFromAnswer, codes)),
      ...wanted.slots.filter(([address, slot]) => !slots.get(address)?.has(slot)).map(readSlot),
      ...wanted.blockHashes.filter(isLeft(blockHashes)).map(readBlockHash),
    ]
    for (let from = 0; from < reads.length; from += readsAtATime)
      await readTogether(reads.slice(from, from + readsAtATime), signal)
  }

  return async (block, wanted, signal, into = noFields()) => {
    const budget = currentBudget()
    budget?.keys.take(Object.values(wanted).reduce((count, keys) => count + keys.length, 0))
    await readAt(atBlock(block), wanted, into, signal ?? budget?.signal)
    return into
  }
}

/** Fails if one read fails: after the others if upstream returned an error for that one, otherwise at once. */
async function readTogether(
  reads: readonly ((options: RequestOptions) => Promise<unknown>)[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const controller = new AbortController()
  const options = { signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal }
  // One listener per value, so this is not a leak.
  setMaxListeners(0, options.signal)
  const errors: NetworkError[] = []
  try {
    await Promise.all(
      reads.map(async (read) => {
        try {
          await read(options)
        } catch (error) {
          if (!isAnsweredError(error) || errors.push(error) > errorLimit) throw error
        }
      }),
    )
  } catch (error) {
    controller.abort(error)
    throw error
  }
  if (errors[0]) throw errors[0]
}

/** Reads whole accounts, as executions need them. */
export function createStateReader(readFields: FieldReader): StateReader {
  return async (block, wanted, signal, into = { accounts: new Map(), slots: new Map(), blockHashes: new Map() }) => {
    const addresses = addressesOf(wanted)
    const keys = { ...wanted, balances: addresses, nonces: addresses, codes: addresses }
    const fields = { ...noFields(), slots: into.slots, blockHashes: into.blockHashes }
    try {
      await readFields(block, keys, signal, fields)
    } finally {
      for (const [address, balance] of fields.balances) {
        const nonce = fields.nonces.get(address)
        const code = fields.codes.get(address)
        if (nonce !== undefined && code) into.accounts.set(address, { balance, nonce, code })
      }
    }
    return into
  }
}

export function addressesOf({ accounts, codes }: WantedState): Address[] {
  return [...new Set([...accounts, ...codes])]
}
