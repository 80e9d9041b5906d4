import { hexFromBytes } from '../bytes.ts'
import { requireRules } from '../forks.ts'
import { keccak256Hex } from '../keccak.ts'
import type { Address, Hex, Word } from '../port.ts'
import { touchedState } from './touchedState.ts'
import { quantity, type TracedRun, wordHex } from './tracer.ts'

export type PrestateTracerOptions = {
  /** Shows what changed, before and after, instead of everything that was touched. */
  diffMode?: boolean
  disableCode?: boolean
  disableStorage?: boolean
  /** Shows accounts that did not exist too. */
  includeEmpty?: boolean
}

export type PrestateAccount = {
  balance?: Hex
  nonce?: number
  code?: Hex
  codeHash?: Word
  storage?: Record<Word, Word>
}

export type Prestate = Record<Address, PrestateAccount>
export type PrestateDiff = { pre: Prestate; post: Prestate }

const emptyCodeHash = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

type Fields = { balance: bigint; nonce: bigint; code: Uint8Array; codeHash: Word; slots: Map<Word, bigint> }

/** go-ethereum's `prestateTracer`: the state that a transaction touched, as it was before it. */
export async function prestateTracer(
  run: TracedRun,
  options: PrestateTracerOptions = {},
): Promise<Prestate | PrestateDiff> {
  const before = await loadFields(run)
  return options.diffMode ? diff(run, before, options) : prestate(before, options)
}

async function loadFields(run: TracedRun): Promise<Map<Address, Fields>> {
  const { view } = run
  const touched = await touchedState(run)
  const addresses = [...touched.keys()].sort()
  const slots = [...touched].flatMap(([address, keys]) => [...keys].map((key) => [address, key] as const))
  await view.load?.({ accounts: addresses, codes: addresses, slots, blockHashes: [], calls: [] })
  const before = new Map<Address, Fields>()
  for (const address of addresses) {
    const account = view.account(address)
    const code = account && view.code(address, account.codeHash)
    if (!code) throw new Error(`The account ${address} could not be loaded`)
    const keys = [...(touched.get(address) ?? [])].sort()
    const values = new Map(keys.map((key) => [key, view.storage(address, key) ?? 0n]))
    before.set(address, { ...account, code, slots: values })
  }
  return before
}

function prestate(before: Map<Address, Fields>, { includeEmpty, ...options }: PrestateTracerOptions): Prestate {
  const shown = [...before].filter(([, fields]) => includeEmpty || !isEmpty(fields))
  return Object.fromEntries(shown.map(([address, fields]) => [address, accountOf(fields, options)]))
}

const isEmpty = ({ balance, nonce, code }: Fields) => balance === 0n && nonce === 0n && code.length === 0

function accountOf(fields: Fields, { disableCode, disableStorage }: PrestateTracerOptions): PrestateAccount {
  const { balance, nonce, code, codeHash, slots } = fields
  return {
    balance: quantity(balance),
    ...(nonce !== 0n && { nonce: Number(nonce) }),
    ...(codeHash !== emptyCodeHash && { codeHash, ...(!disableCode && { code: hexFromBytes(code) }) }),
    ...(!disableStorage && slots.size > 0 && { storage: storageOf(slots) }),
  }
}

function storageOf(slots: Iterable<readonly [Word, bigint]>): Record<Word, Word> {
  return Object.fromEntries([...slots].map(([key, value]) => [key, wordHex(value)]))
}

function diff(run: TracedRun, before: Map<Address, Fields>, options: PrestateTracerOptions): PrestateDiff {
  const pre: Prestate = {}
  const post: Prestate = {}
  const destroyed = destroyedAccounts(run)
  for (const [address, fields] of before) {
    const existed = options.includeEmpty || !isEmpty(fields)
    if (destroyed.has(address)) {
      if (existed) pre[address] = accountOf(fields, options)
      continue
    }
    const changed = changesOf(run, address, fields, options)
    if (!changed) continue
    if (changed.after) post[address] = changed.after
    const slots = new Map([...fields.slots].filter(([key, value]) => value !== 0n && changed.slots.has(key)))
    if (existed) pre[address] = accountOf({ ...fields, slots }, options)
  }
  return { pre, post }
}

/** What became of an account; `undefined` when nothing changed. `slots` are the keys whose value changed. */
function changesOf({ result }: TracedRun, address: Address, before: Fields, options: PrestateTracerOptions) {
  const { balance, nonce, code } = result.diff.accounts.get(address) ?? {}
  const isCleared = result.diff.cleared.has(address)
  const written = result.diff.slots.get(address)
  const changed = [...before.slots]
    .map(([key, value]) => [key, value, written?.get(key) ?? (isCleared ? 0n : value)] as const)
    .filter(([, value, after]) => !options.disableStorage && value !== after)
  const after: PrestateAccount = {
    ...(balance !== undefined && { balance: quantity(balance) }),
    ...(nonce !== undefined && { nonce: Number(nonce) }),
    ...(code && {
      codeHash: keccak256Hex(code),
      ...(!options.disableCode && { code: hexFromBytes(code) }),
    }),
  }
  const kept = changed.filter(([, , value]) => value !== 0n)
  if (kept.length > 0) after.storage = storageOf(kept.map(([key, , value]) => [key, value]))
  if (Object.keys(after).length === 0 && changed.length === 0 && code === undefined) return undefined
  return { after, slots: new Set(changed.map(([key]) => key)) }
}

/** Accounts that are gone after the run: since Cancun those that it created itself (EIP-6780). */
function destroyedAccounts({ block, result }: TracedRun): Set<Address> {
  const { destroyOnlyNew } = requireRules(block.fork)
  const created = new Set(result.frames.filter(({ type }) => type.startsWith('CREATE')).map(({ to }) => to))
  const gone = result.frames
    .filter(({ type, from }) => type === 'SELFDESTRUCT' && (!destroyOnlyNew || created.has(from)))
    .map(({ from }) => from)
  // Where the frame was undone, the storage is as it was.
  return new Set(gone.filter((address) => result.diff.cleared.has(address)))
}
