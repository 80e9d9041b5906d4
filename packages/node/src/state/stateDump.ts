import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Address, Hex, StateDiff, Word } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex, hexFromBytes, quantity, wordFromBigint } from '../shared/hex.ts'
import type { Database } from '../storage/database.ts'
import { loadLocalDump } from '../storage/records/state/localDump.ts'
import { emptyDiff } from './diff.ts'
import type { State } from './state.ts'
import type { LoadingView } from './view.ts'

/** State in anvil's format: gzipped JSON. */
export type StateDumps = {
  /** All accounts with local state; their other fields come from upstream. Throws `LIMIT_EXCEEDED`. */
  dump(): Promise<Hex>
  /** Writes the accounts of a dump in one change. Throws `INVALID_PARAMS`, and `ACCOUNT_FOLLOWED` like other writes. */
  load(dump: Uint8Array): Promise<void>
}

/** Maximum size of a dump, in bytes of JSON. */
const sizeLimit = 256 * 1024 * 1024
/** Maximum number of accounts and slots in a dump. */
const entryLimit = 500_000
/** Number of accounts that are loaded at once. */
const readTogether = 1_000
const attemptLimit = 10

type DumpedAccount = { nonce: number | Hex; balance: Hex; code: Hex; storage: Record<Word, Word> }

export function createStateDumps({ database, state }: { database: Database; state: State }): StateDumps {
  async function dump(): Promise<Hex> {
    const { local, view } = await state.exclusive(async () => ({
      local: await loadLocalDump(database.queries, entryLimit),
      view: state.latest(),
    }))
    if (!local)
      throw new NetworkError('LIMIT_EXCEEDED', { what: 'the accounts and slots of the state', limit: entryLimit })
    const accounts: Record<Address, DumpedAccount> = {}
    const addresses = [...local.keys()]
    for (let from = 0; from < addresses.length; from += readTogether) {
      const some = addresses.slice(from, from + readTogether)
      for (const [address, { nonce, balance, code }] of await readAccounts(view, some)) {
        const slots = [...(local.get(address) ?? [])].map(([slot, value]) => [slot, wordFromBigint(value)])
        accounts[address] = {
          nonce: nonce <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(nonce) : quantity(nonce),
          balance: quantity(balance),
          code: hexFromBytes(code),
          storage: Object.fromEntries(slots),
        }
      }
    }
    // If a dump has no block, anvil loads the accounts and keeps its own block.
    const dumped = { block: null, accounts, best_block_number: null, blocks: [], transactions: [] }
    return hexFromBytes(await promisify(gzip)(JSON.stringify(dumped)))
  }

  async function load(dumped: Uint8Array): Promise<void> {
    await state.write(diffFrom(await parse(dumped)), 'loadState')
  }

  return { dump, load }
}

/**
 * Reads accounts of one state. If the network moves on between loading and reading, they are loaded again from the same
 * state.
 */
async function readAccounts(view: LoadingView, addresses: readonly Address[]) {
  for (let attempt = 1; ; attempt++) {
    await view.load({ accounts: addresses, codes: addresses, slots: [], blockHashes: [] })
    const found = addresses.flatMap((address) => {
      const account = view.account(address)
      const code = account && view.code(address, account.codeHash)
      return account && code ? [[address, { ...account, code }] as const] : []
    })
    if (found.length === addresses.length) return found
    if (attempt === attemptLimit) throw new Error('the accounts of a dump could not be loaded')
  }
}

function refuse(problem: string, cause?: unknown): NetworkError {
  return new NetworkError('INVALID_PARAMS', { field: 'params[0] (state)', problem }, { cause })
}

async function parse(dumped: Uint8Array): Promise<Record<string, unknown>> {
  let accounts: unknown
  try {
    const isGzip = dumped[0] === 0x1f && dumped[1] === 0x8b
    const json = isGzip ? await promisify(gunzip)(dumped, { maxOutputLength: sizeLimit }) : Buffer.from(dumped)
    accounts = JSON.parse(json.toString('utf8')).accounts
  } catch (cause) {
    throw refuse('expected gzipped JSON from anvil_dumpState', cause)
  }
  if (typeof accounts !== 'object' || accounts === null || Array.isArray(accounts))
    throw refuse('it has no accounts object')
  return accounts as Record<string, unknown>
}

function diffFrom(accounts: Record<string, unknown>): StateDiff {
  const diff = emptyDiff()
  for (const [name, account] of Object.entries(accounts)) {
    const { nonce, balance, code, storage } = (account ?? {}) as Partial<DumpedAccount>
    if (!/^0x[\da-f]{40}$/i.test(name)) throw refuse(`${name} is not an address`)
    const address = name.toLowerCase() as Address
    try {
      diff.accounts.set(address, {
        nonce: BigInt(nonce ?? 0),
        balance: BigInt(balance ?? 0),
        code: bytesFromHex((code ?? '0x') as Hex),
      })
      const slots = Object.entries(storage ?? {}).map(
        ([slot, value]) => [wordFromBigint(BigInt(slot)), BigInt(value)] as const,
      )
      if (slots.length > 0) diff.slots.set(address, new Map(slots))
    } catch {
      throw refuse(`the account ${address} is not in anvil's format`)
    }
  }
  return diff
}
