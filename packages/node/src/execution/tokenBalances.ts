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
import type { State } from '../state/state.ts'
import { type LoadingView, loadStorage } from '../state/view.ts'
import {
  answeringSlots,
  type BalanceSlot,
  changes,
  type Field,
  findField,
  findFields,
  findFullField,
  invert,
  isSame,
  type Probe,
  probeDelta,
  type SlotLocation,
  seenSlots,
  setFields,
  type Written,
  withSlot,
} from './balanceFields.ts'
import type { ExecutionPoint } from './execution.ts'
import { runToSuccess } from './revert.ts'
import { runLoaded } from './run.ts'

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
  /** Sets the balance of each holder to the largest that the token can store, of all or of none. */
  setLargestBalances(holders: readonly Address[], token: Address): Promise<void>
  /** Adds to the balance of each holder, or of none; as often as it is named. Returns the new balances. */
  addBalances(holders: readonly Address[], token: Address, amount: bigint): Promise<ReadonlyMap<Address, bigint>>
  /** Throws `ALLOWANCE_SLOT_NOT_FOUND`. */
  setAllowance(owner: Address, spender: Address, token: Address, amount: bigint): Promise<void>
}

const gasLimit = 30_000_000n
/** An unused account: the end of the hash of this sentence. */
const unusedAccount: Address = `0x${keccak(new TextEncoder().encode('an account that no one has')).slice(-40)}`
/** Maximum number of slots that one `balanceOf` may read. */
const candidateLimit = 64

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
    const locations = await answeringSlots(probed)
    const fields = await findFields(balance === amount && locations.length === 0 ? own : locations, probed)
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

  /** The same for the largest amount that the function can answer, where it answers one field of a slot. */
  async largestFor(read: Read): Promise<Written[]> {
    const probed = await this.#probe(read)
    const [only, ...others] = await answeringSlots(probed)
    const field = only && others.length === 0 ? await findFullField(only, probed) : undefined
    const written =
      field?.value === probed.balance ? await setFields([field], probed, (1n << field.width) - 1n) : undefined
    if (written) return written
    throw read.notFound(
      `it is computed, so that its largest value is not known; set an amount with tenderly_setErc20Balance${await seenSlots(probed)}`,
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

  async function setAnswers(answers: Iterable<[Read, bigint | 'largest']>): Promise<void> {
    const written = new Map<Address, Map<Word, bigint>>()
    for (const [read, amount] of answers) {
      const values = amount === 'largest' ? await slots.largestFor(read) : await slots.valuesFor(read, amount)
      for (const { contract, slot, value } of values)
        written.set(contract, (written.get(contract) ?? new Map()).set(slot, value))
    }
    await state.write({ ...emptyDiff(), slots: written }, 'setTokenBalance')
  }

  return {
    findSlot: (holder, token) => slots.find(balanceOf(holder, token)),
    setBalances: (holders, token, amount) =>
      mutex.run(() => setAnswers(holders.map((holder) => [balanceOf(holder, token), amount]))),
    setLargestBalances: (holders, token) =>
      mutex.run(() => setAnswers(holders.map((holder) => [balanceOf(holder, token), 'largest']))),
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
