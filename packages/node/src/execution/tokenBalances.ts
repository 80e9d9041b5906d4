import type { Address, BlockContext, Done, Message, Word } from '@understudy/evm'
import { decodeAbiParameters, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { MaybePromise } from '../shared/async/maybePromise.ts'
import { createMutex } from '../shared/async/mutex.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import { currentTime } from '../shared/budget/requestBudget.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { emptyDiff } from '../state/diff.ts'
import { Overlay } from '../state/overlay.ts'
import type { State } from '../state/state.ts'
import { type LoadingView, loadStorage } from '../state/view.ts'
import type { ExecutionPoint } from './execution.ts'
import { runToSuccess } from './revert.ts'
import { runLoaded } from './run.ts'

/** The location of a token balance: a bit field of a slot, in any contract. */
export type BalanceSlot = {
  contract: Address
  slot: Word
  /** The lowest bit of the field. */
  shift: bigint
  /** The width of the field in bits. */
  width: bigint
}

/** A view function of a token that returns one number. */
type Read = {
  token: Address
  from: Address
  data: Hex
  /** The same call for an unused account. */
  otherAccountData: Hex
  name: 'balanceOf' | 'allowance'
  notFound(problem: string): NetworkError
}

/** Balances and allowances of ERC-20 tokens, written to the storage slot that holds them. */
export type TokenBalances = {
  /** Throws `BALANCE_SLOT_NOT_FOUND`. */
  findSlot(holder: Address, token: Address): Promise<BalanceSlot>
  /** Sets the balance of each holder, of all or of none. */
  setBalances(holders: readonly Address[], token: Address, amount: bigint): Promise<void>
  /** Adds to the balance of each holder, or of none; as often as it is named. Returns the new balances. */
  addBalances(holders: readonly Address[], token: Address, amount: bigint): Promise<ReadonlyMap<Address, bigint>>
  /** Throws `ALLOWANCE_SLOT_NOT_FOUND`. */
  setAllowance(owner: Address, spender: Address, token: Address, amount: bigint): Promise<void>
}

const gasLimit = 30_000_000n
/** An unused account: the end of the hash of this sentence. */
const unusedAccount: Address = `0x${keccak(new TextEncoder().encode('an account that no one has')).slice(-40)}`
/** A delta that is larger than any rounding of shares. */
const probeDelta = 1_000_000_007n
/** Maximum number of slots that one `balanceOf` may read. */
const candidateLimit = 64
/** Most slots that an error names. */
const shownSlots = 8

/** A slot. */
type SlotLocation = { contract: Address; slot: Word }
/** The new word of a slot. */
type Written = SlotLocation & { value: bigint }
/** A field of a slot, and its value. */
type Field = BalanceSlot & { word: bigint; value: bigint }

type Probe = {
  view: LoadingView
  block: BlockContext
  balance: bigint
  /** What is read for this account only. */
  own: SlotLocation[]
  /** What is read for every account. */
  shared: SlotLocation[]
  /** What the function answers on a state; `undefined` if it fails. */
  answer(view: LoadingView): Promise<bigint | undefined>
}

/** `latest` returns the state to read: the newest one, in the next block. */
type Needs = { engine: Engine; state: Pick<State, 'write'>; latest: () => MaybePromise<ExecutionPoint> }

/** Finds the slots that hold what tokens answer, by running them. */
class TokenSlots {
  readonly #engine: Engine
  readonly #latest: Needs['latest']
  readonly #timeoutMs: number

  /** `callTimeout`: maximum computing time of all runs of one request, in seconds. */
  constructor({ callTimeout }: { callTimeout: number }, { engine, latest }: Pick<Needs, 'engine' | 'latest'>) {
    this.#engine = engine
    this.#latest = latest
    this.#timeoutMs = callTimeout * 1000
  }

  /** What a function answers on the newest state. */
  async answerOf(read: Read): Promise<bigint | undefined> {
    const { view, block } = await this.#latest()
    return this.#answerOn(view, block, read)
  }

  /** The one slot that holds what a function answers. Throws what `read.notFound` makes. */
  async find(read: Read): Promise<BalanceSlot> {
    const probed = await this.#probe(read)
    const { view, balance, own, shared, answer } = probed
    const refuse = async (problem: string) => read.notFound(`${problem}${await seenSlots(probed)}`)
    const found: Field[] = []
    for (const location of own) {
      const field = await findField(location, probed)
      if (field && field.value === balance) found.push(field)
    }
    const [field, other] = found
    if (other) throw await refuse('it is computed from several slots (shares, or a rebasing token)')
    if (!field)
      throw await refuse(`none of the slots that ${read.name} reads is it (it is computed, or the token rebases)`)
    // Another amount shows what also counts, and what counts only for some.
    const changed = withSlot(view, field.contract, field.slot, field.word + (probeDelta << field.shift))
    const expected = (await answer(changed)) ?? balance
    const base = expected === balance ? view : changed
    for (const location of own)
      if (!isSame(location, field) && (await changes(location, base, expected, answer)).length > 0)
        throw await refuse('it depends on other slots, too')
    for (const location of shared)
      if ((await changes(location, base, expected, answer)).some((value) => value !== undefined && value !== 0n))
        throw await refuse('it also depends on what all accounts share (shares, or a rebasing token)')
    const { contract, slot, shift, width } = field
    return { contract, slot, shift, width }
  }

  /** The slots, and their values with which the function answers an amount. Throws what `read.notFound` makes. */
  async valuesFor(read: Read, amount: bigint): Promise<Written[]> {
    const probed = await this.#probe(read)
    const { view, balance, own, answer } = probed
    const locations: SlotLocation[] = []
    for (const location of own)
      if ((await changes(location, view, balance, answer)).length > 0) locations.push(location)
    const fields: Field[] = []
    for (const location of balance === amount && locations.length === 0 ? own : locations) {
      const field = await findField(location, probed)
      if (field) fields.push(field)
    }
    const inFields = await setFields(fields, probed, amount)
    if (inFields) return inFields
    const [only] = fields
    if (only && fields.length === 1 && only.value === balance && amount >> only.width !== 0n)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'amount',
        problem: `the token stores it in ${only.width} bits; ${amount} does not fit`,
      })
    const near = new Set<bigint>()
    for (const location of locations) {
      const word = await loadStorage(view, location.contract, location.slot)
      const at = (value: bigint) => answer(withSlot(view, location.contract, location.slot, value))
      const value = await invert(at, word, balance, amount, near)
      if (value !== undefined) return [{ ...location, value }]
    }
    const nearest = [...near].filter((each) => each !== balance).sort((a, b) => (a < b ? -1 : 1))
    const below = nearest.filter((each) => each < amount).at(-1)
    const above = nearest.find((each) => each > amount)
    const reached = below !== undefined && above !== undefined ? `. It can be ${below} or ${above}` : ''
    throw read.notFound(
      `no value of its slots gives ${amount} (it is computed, or the token rebases)${reached}${await seenSlots(probed)}`,
    )
  }

  /** What a function answers, and the slots that it reads: those of the account itself, and those of all. */
  async #probe(read: Read): Promise<Probe> {
    const { view, block } = await this.#latest()
    const { name, notFound: refuse } = read
    const whole = { message: messageOf(read), block: { ...block, gasLimit }, view }
    const result = await runToSuccess(this.#engine, whole, { kind: 'call', time: this.#newTime() })
    if (result.output.length < 32) throw refuse(`${name} does not return a number; is it an ERC-20 token?`)
    const [balance] = decodeAbiParameters([{ type: 'uint256' }], hexFromBytes(result.output))
    // A slot that is also read for another account is not this holder's: the totals of a rebasing token look like the
    // balance of a sole holder.
    const other = await this.#run(view, block, { ...read, data: read.otherAccountData })
    const all = [...result.readSet.slots].flatMap(([contract, slots]) => [...slots].map((slot) => ({ contract, slot })))
    const isShared = ({ contract, slot }: SlotLocation) => other.readSet.slots.get(contract)?.has(slot) === true
    const own = all.filter((location) => !isShared(location))
    if (all.length > candidateLimit) throw refuse(`${name} reads ${all.length} slots; the maximum is ${candidateLimit}`)
    const answer = (on: LoadingView) => this.#answerOn(on, block, read)
    return { view, block, balance, own, shared: all.filter(isShared), answer }
  }

  async #answerOn(view: LoadingView, block: BlockContext, read: Read): Promise<bigint | undefined> {
    const result = await this.#run(view, block, read)
    return result.status === 'success' && result.output.length >= 32
      ? decodeAbiParameters([{ type: 'uint256' }], hexFromBytes(result.output))[0]
      : undefined
  }

  #run(view: LoadingView, block: BlockContext, read: Read): MaybePromise<Done> {
    return runLoaded(this.#engine, messageOf(read), { ...block, gasLimit }, view, {
      kind: 'call',
      time: this.#newTime(),
    })
  }

  #newTime(): ComputingTime {
    return currentTime(this.#timeoutMs)
  }
}

/** `callTimeout`: maximum computing time of all runs of one request, in seconds. */
export function createTokenBalances(options: { callTimeout: number }, { state, ...needs }: Needs): TokenBalances {
  const slots = new TokenSlots(options, needs)
  // Read and write the slot together, so that its other fields are kept.
  const mutex = createMutex()

  async function setAnswers(answers: Iterable<[Read, bigint]>): Promise<void> {
    const written = new Map<Address, Map<Word, bigint>>()
    for (const [read, amount] of answers) {
      for (const { contract, slot, value } of await slots.valuesFor(read, amount))
        written.set(contract, (written.get(contract) ?? new Map()).set(slot, value))
    }
    await state.write({ ...emptyDiff(), slots: written }, 'setTokenBalance')
  }

  return {
    findSlot: (holder, token) => slots.find(balanceOf(holder, token)),
    setBalances: (holders, token, amount) =>
      mutex.run(() => setAnswers(holders.map((holder) => [balanceOf(holder, token), amount]))),
    addBalances: (holders, token, amount) =>
      mutex.run(async () => {
        const balances = new Map<Address, bigint>()
        for (const holder of holders) {
          const before = balances.get(holder) ?? (await slots.answerOf(balanceOf(holder, token))) ?? 0n
          balances.set(holder, before + amount)
        }
        await setAnswers([...balances].map(([holder, balance]) => [balanceOf(holder, token), balance]))
        return balances
      }),
    setAllowance: (owner, spender, token, amount) =>
      mutex.run(() => setAnswers([[allowance(owner, spender, token), amount]])),
  }
}

const messageOf = ({ token, from, data }: Read): Message => ({
  from,
  to: token,
  value: 0n,
  data: bytesFromHex(data),
  gasLimit,
  gasPrice: 0n,
})

/** The slots of the account on which the answer depends, for an error. */
async function seenSlots({ view, balance, own, answer }: Probe): Promise<string> {
  const seen: string[] = []
  for (const { contract, slot } of own)
    if ((await changes({ contract, slot }, view, balance, answer)).length > 0) seen.push(`${slot} of ${contract}`)
  if (seen.length === 0) return ''
  return `. It depends on ${seen.slice(0, shownSlots).join(', ')}${seen.length > shownSlots ? ', and others' : ''}`
}

function balanceOf(holder: Address, token: Address): Read {
  return {
    token,
    from: holder,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
    otherAccountData: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [unusedAccount] }),
    name: 'balanceOf',
    notFound: (problem) => new NetworkError('BALANCE_SLOT_NOT_FOUND', { token, holder, problem }),
  }
}

function allowance(owner: Address, spender: Address, token: Address): Read {
  return {
    token,
    from: spender,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }),
    otherAccountData: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'allowance',
      args: [unusedAccount, unusedAccount],
    }),
    name: 'allowance',
    notFound: (problem) => new NetworkError('ALLOWANCE_SLOT_NOT_FOUND', { token, owner, spender, problem }),
  }
}

const slotDiff = (contract: Address, slot: Word, value: bigint) => ({
  ...emptyDiff(),
  slots: new Map([[contract, new Map([[slot, value]])]]),
})

function withSlot(view: LoadingView, contract: Address, slot: Word, value: bigint): Overlay {
  const overlay = new Overlay(view)
  overlay.apply(slotDiff(contract, slot, value))
  return overlay
}

const isSame = (a: SlotLocation, b: SlotLocation) => a.contract === b.contract && a.slot === b.slot

/** The answers that differ from `expected` when the word of a slot does: `undefined` where the call fails. */
async function changes(
  { contract, slot }: SlotLocation,
  view: LoadingView,
  expected: bigint,
  answer: Probe['answer'],
): Promise<(bigint | undefined)[]> {
  const word = await loadStorage(view, contract, slot)
  const others = [0n, ~word, word + 1n, word * 2n, word + probeDelta].map((value) => BigInt.asUintN(256, value))
  const answers: (bigint | undefined)[] = []
  for (const value of new Set(others))
    if (value !== word) answers.push(await answer(withSlot(view, contract, slot, value)))
  return answers.filter((value) => value !== expected)
}

/** The part of a slot with which the answer grows by as much: the balance, or a summand of it. */
async function findField(location: SlotLocation, { view, balance, answer }: Probe): Promise<Field | undefined> {
  const { contract, slot } = location
  const word = await loadStorage(view, contract, slot)
  const answerTo = (value: bigint) =>
    value >> 256n === 0n ? answer(withSlot(view, contract, slot, value)) : Promise.resolve(undefined)
  for (let shift = 0n; shift < 256n; shift++) {
    const answersWith = async (delta: bigint) => (await answerTo(word + (delta << shift))) === balance + delta
    if (!(await answersWith(1n)) || !(await answersWith(probeDelta))) continue
    // Clearing and setting every bit from there on shows in the answers how many bits the field has.
    const ones = (1n << (256n - shift)) - 1n
    const least = (await answerTo(word & ~(ones << shift))) ?? 0n
    const most = await answerTo(word | (ones << shift))
    const largest = most === undefined || most < least ? ones : most - least
    const width = BigInt(largest.toString(2).length)
    if (largest !== (1n << width) - 1n) continue
    return { ...location, word, shift, width, value: (word >> shift) & largest }
  }
  return undefined
}

/** Sets fields of which the answer is the sum, as few as it takes, so that it is `amount`; `undefined` if that fails. */
async function setFields(
  fields: readonly Field[],
  { view, balance, answer }: Probe,
  amount: bigint,
): Promise<Written[] | undefined> {
  const overlay = new Overlay(view)
  const written: Written[] = []
  let current = balance
  for (const { contract, slot, word, shift, width, value } of [...fields].sort((a, b) =>
    a.value < b.value ? 1 : -1,
  )) {
    const wanted = value + amount - current
    const largest = (1n << width) - 1n
    const next = wanted < 0n ? 0n : wanted > largest ? largest : wanted
    const changed = (word & ~(largest << shift)) | (next << shift)
    overlay.apply(slotDiff(contract, slot, changed))
    written.push({ contract, slot, value: changed })
    const answered = await answer(overlay)
    if (answered === undefined) return undefined
    if (answered === amount) return written
    current = answered
  }
  return undefined
}

/** Runs that look for a value with which a function answers an amount. */
const stepLimit = 16

/**
 * The value of a slot with which a function answers `amount`, if the answer grows in proportion to it, as with shares.
 * `near` collects what it answers else.
 */
async function invert(
  at: (value: bigint) => Promise<bigint | undefined>,
  word: bigint,
  balance: bigint,
  amount: bigint,
  near: Set<bigint>,
): Promise<bigint | undefined> {
  const isWord = (value: bigint) => value >= 0n && value >> 256n === 0n
  // The farther the other point, the more exact the slope.
  let far: { value: bigint; answered: bigint } | undefined
  for (let bits = 200n; bits >= 32n && !far; bits -= 8n) {
    const value = word + (1n << bits)
    const answered = isWord(value) ? await at(value) : undefined
    if (answered !== undefined && answered - balance > 1n << 24n) far = { value, answered }
  }
  if (!far) return undefined
  const [distance, growth] = [far.value - word, far.answered - balance]
  let [value, answered] = [word, balance]
  const tried = new Set([word])
  for (let step = 0; step < stepLimit; step++) {
    const moved = ((amount - answered) * distance) / growth
    const next = value + (moved === 0n ? (amount > answered ? 1n : -1n) : moved)
    value = next < 0n ? 0n : next
    if (!isWord(value) || tried.has(value)) return undefined
    tried.add(value)
    const found = await at(value)
    if (found === undefined) return undefined
    if (found === amount) return value
    near.add(found)
    answered = found
  }
  return undefined
}
