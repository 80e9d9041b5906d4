import type { Address, Done, Word } from '@understudy/evm'
import { mappingKeysOf } from '../../activity/mappingKeys.ts'
import type { ContractLibrary } from '../../contracts/contractLibrary.ts'
import type { StorageLayout } from '../../contracts/storageLayout/layout.ts'
import { findSlotParts, type SlotPart } from '../../contracts/storageLayout/slotPaths.ts'
import { fieldOf, formatValue } from '../../contracts/storageLayout/valueType.ts'
import { emptyCodeHash } from '../../ethereum/constants.ts'
import { hexFromBytes, wordFromBigint } from '../../shared/hex.ts'
import { createPace } from '../../shared/yieldToEventLoop.ts'
import { type LoadingView, loadAccount, loadCode, loadSlots } from '../../state/view.ts'
import type { RunKnowledge } from './known.ts'
import type { AccountChange, SlotChange, VariableChange } from './outcome.ts'

/** How long it may block other requests, in milliseconds. */
const sliceMs = 10
/** Maximum number of accounts of a call whose slots are named by variables, and of slots of each. */
const namedAccounts = 20
const namedSlots = 300

type StateRun = { result: Done; before: LoadingView; after: LoadingView; knowledge: RunKnowledge }

/** `undefined` where no variables are named. */
type Library = Pick<ContractLibrary, 'isEmpty' | 'versionOf' | 'loadStorageLayout'> | undefined

/** What a run changed, by account. Slots that were written with their old value are left out. */
export async function stateChangesOf(run: StateRun, library: Library): Promise<AccountChange[]> {
  const { diff } = run.result
  const addresses = [...new Set([...diff.accounts.keys(), ...diff.cleared, ...diff.slots.keys()])].sort()
  const changes: AccountChange[] = []
  const pace = createPace(sliceMs)
  for (const address of addresses) {
    await pace()
    const change = await accountChange(address, run)
    if (change) changes.push(change)
  }
  if (library && !library.isEmpty()) await nameVariables(changes, run, library)
  return changes
}

/** The storage of an account without code, which needs no reads. */
const empty: Pick<LoadingView, 'storage'> = { storage: () => 0n }

/** `undefined` if nothing of it differs. */
async function accountChange(address: Address, { result: { diff }, before }: StateRun) {
  const { balance, nonce, code } = diff.accounts.get(address) ?? {}
  const account = before.account(address) ?? (await loadAccount(before, address))
  const change: AccountChange = {
    address,
    nonce: differing(account.nonce, nonce),
    balance: differing(account.balance, balance),
    code: code && { before: hexFromBytes(await loadCode(before, address)), after: hexFromBytes(code) },
    isCleared: diff.cleared.has(address),
    storage: await slotChanges(address, diff.slots.get(address), account.codeHash === emptyCodeHash ? empty : before),
  }
  const { nonce: counted, balance: moved, isCleared, storage } = change
  return counted || moved || change.code || isCleared || storage.length > 0 ? change : undefined
}

const differing = (before: bigint, after: bigint | undefined) =>
  after === undefined || after === before ? undefined : { before, after }

async function slotChanges(
  address: Address,
  written: ReadonlyMap<Word, bigint> | undefined,
  before: Pick<LoadingView, 'storage'> | LoadingView,
): Promise<SlotChange[]> {
  if (!written) return []
  const missing = [...written.keys()].filter((slot) => before.storage(address, slot) === undefined)
  const loaded = missing.length > 0 && 'load' in before ? await loadSlots(before, address, missing) : undefined
  const changes = [...written].flatMap(([slot, after]): SlotChange[] => {
    const had = before.storage(address, slot) ?? loaded?.get(slot) ?? 0n
    return had === after ? [] : [{ slot, before: wordFromBigint(had), after: wordFromBigint(after), variables: [] }]
  })
  return changes.sort((a, b) => (a.slot < b.slot ? -1 : 1))
}

/** Names the variables of slots, of the first accounts whose layout is known. */
async function nameVariables(
  changes: readonly AccountChange[],
  { result, after, knowledge }: StateRun,
  library: NonNullable<Library>,
): Promise<void> {
  const keys = new Map<string, Word[]>()
  for (const { address, base, key } of mappingKeysOf(result, 0n)) {
    const id = `${address} ${base}`
    const known = keys.get(id)
    if (known) known.push(key)
    else keys.set(id, [key])
  }
  for (const { address, storage } of changes.filter((change) => change.storage.length > 0).slice(0, namedAccounts)) {
    const layout = await layoutOf(address, after, { knowledge, library })
    if (!layout) continue
    const named = storage.slice(0, namedSlots)
    const loadKeys = async (base: Word) => keys.get(`${address} ${base}`) ?? []
    const parts = await findSlotParts(
      layout,
      named.map(({ slot }) => slot),
      loadKeys,
    )
    for (const change of named)
      change.variables = (parts.get(change.slot) ?? []).flatMap((part) => variableChange(part, change, layout))
  }
}

/** The layout of what a contract runs, or of itself. */
async function layoutOf(
  address: Address,
  view: LoadingView,
  { knowledge, library }: { knowledge: RunKnowledge; library: NonNullable<Library> },
): Promise<StorageLayout | undefined> {
  for (const one of [...knowledge.implementationsOf(address), address]) {
    const hash = view.account(one)?.codeHash
    const code = hash && view.code(one, hash)
    const version = code && code.length > 0 ? library.versionOf(code, false) : undefined
    const layout = version === undefined ? undefined : await library.loadStorageLayout(version)
    if (layout) return layout
  }
  return undefined
}

/** Nothing if this part of the slot is the same. */
function variableChange(part: SlotPart, { before, after }: SlotChange, layout: StorageLayout): VariableChange[] {
  const { path, variable, keys, type, offset, isData } = part
  const isWhole = offset === undefined
  const isLength = type.encoding === 'dynamic_array'
  const bytes = isWhole ? 32 : type.numberOfBytes
  const label = isLength ? 'uint256' : type.label
  const show = (word: Word) => {
    const value = fieldOf(BigInt(word), offset ?? 0, bytes)
    if (type.encoding === 'bytes') return isData ? word : textIn(word, label)
    return formatValue(label, bytes, value)
  }
  const [shownBefore, shownAfter] = [show(before), show(after)]
  if (shownBefore === shownAfter) return []
  return [
    {
      path,
      variable: variable.label,
      variableType: layout.types.get(variable.type)?.label ?? variable.type,
      keys: [...keys],
      type: label,
      offset: offset ?? 0,
      bytes,
      before: shownBefore,
      after: shownAfter,
    },
  ]
}

/** A text of less than 32 bytes is in its slot, with twice its length in the low byte. */
function textIn(word: Word, label: string): string {
  const length = Number(BigInt(word) & 0xffn) / 2
  if (!Number.isInteger(length) || length > 31) return word
  const bytes = Buffer.from(word.slice(2), 'hex').subarray(0, length)
  return label === 'string' ? bytes.toString() : hexFromBytes(bytes)
}
