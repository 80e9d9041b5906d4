import type { Address, BlockContext, Message, Word } from '@understudy/evm'
import { decodeAbiParameters, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { currentTime } from '../shared/budget/requestBudget.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { createMutex } from '../shared/mutex.ts'
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

/** `latest` returns the state to read: the newest one, in the next block. */
type Needs = { engine: Engine; state: Pick<State, 'write'>; latest: () => Promise<ExecutionPoint> }

/** `callTimeout`: maximum computing time of all runs of one request, in seconds. */
export function createTokenBalances(
  { callTimeout }: { callTimeout: number },
  { engine, state, latest }: Needs,
): TokenBalances {
  const newTime = () => currentTime(callTimeout * 1000)
  const messageOf = ({ token, from, data }: Read): Message => ({
    from,
    to: token,
    value: 0n,
    data: bytesFromHex(data),
    gasLimit,
    gasPrice: 0n,
  })
  const run = (view: LoadingView, block: BlockContext, read: Read) =>
    runLoaded(engine, messageOf(read), { ...block, gasLimit }, view, { kind: 'call', time: newTime() })

  async function answerOf(view: LoadingView, block: BlockContext, read: Read) {
    const result = await run(view, block, read)
    return result.status === 'success' && result.output.length >= 32
      ? decodeAbiParameters([{ type: 'uint256' }], hexFromBytes(result.output))[0]
      : undefined
  }

  async function findSlot(read: Read): Promise<BalanceSlot> {
    const { view, block } = await latest()
    const { name, notFound: refuse } = read
    const whole = { message: messageOf(read), block: { ...block, gasLimit }, view }
    const result = await runToSuccess(engine, whole, { kind: 'call', time: newTime() })
    if (result.output.length < 32) throw refuse(`${name} does not return a number; is it an ERC-20 token?`)
    const [balance] = decodeAbiParameters([{ type: 'uint256' }], hexFromBytes(result.output))
    // A slot that is also read for another account is not this holder's: the totals of a rebasing token look like the
    // balance of a sole holder.
    const shared = await run(view, block, { ...read, data: read.otherAccountData })
    const candidates = [...result.readSet.slots].flatMap(([contract, slots]) =>
      [...slots].filter((slot) => !shared.readSet.slots.get(contract)?.has(slot)).map((slot) => ({ contract, slot })),
    )
    if (candidates.length > candidateLimit)
      throw refuse(`${name} reads ${candidates.length} slots; the maximum is ${candidateLimit}`)

    const found: BalanceSlot[] = []
    for (const { contract, slot } of candidates) {
      const word = await loadStorage(view, contract, slot)
      const answerTo = (value: bigint) =>
        value >> 256n === 0n ? answerOf(withSlot(view, contract, slot, value), block, read) : undefined
      const shift = await findShift(word, balance, answerTo)
      if (shift === undefined) continue
      // Setting every bit from there on shows in the result how many bits the field has.
      const ones = (1n << (256n - shift)) - 1n
      const answer = await answerTo(word | (ones << shift))
      const width = BigInt((answer ?? ones).toString(2).length)
      if (answer === undefined || answer === (1n << width) - 1n) found.push({ contract, slot, shift, width })
    }
    const [only, other] = found
    if (other) throw refuse('it is computed from several slots (shares, or a rebasing token)')
    if (!only) throw refuse(`none of the slots that ${name} reads holds it (it is computed, or the token rebases)`)
    return only
  }

  /** The slot, and its value with which the function answers an amount. */
  async function slotFor(read: Read, amount: bigint): Promise<{ contract: Address; slot: Word; value: bigint }> {
    const { contract, slot, shift, width } = await findSlot(read)
    if (amount >> width !== 0n)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'amount',
        problem: `the token stores it in ${width} bits; ${amount} does not fit`,
      })
    const { view, block } = await latest()
    const word = await loadStorage(view, contract, slot)
    const mask = ((1n << width) - 1n) << shift
    const value = (word & ~mask) | (amount << shift)
    const answer = await answerOf(withSlot(view, contract, slot, value), block, read)
    if (answer !== amount) throw read.notFound(`with ${amount} in its slot the token answers ${answer}`)
    return { contract, slot, value }
  }

  async function setAnswers(answers: Iterable<[Read, bigint]>): Promise<void> {
    const slots = new Map<Address, Map<Word, bigint>>()
    for (const [read, amount] of answers) {
      const { contract, slot, value } = await slotFor(read, amount)
      slots.set(contract, (slots.get(contract) ?? new Map()).set(slot, value))
    }
    await state.write({ ...emptyDiff(), slots }, 'setTokenBalance')
  }

  // Read and write the slot together, so that its other fields are kept.
  const mutex = createMutex()

  return {
    findSlot: (holder, token) => findSlot(balanceOf(holder, token)),
    setBalances: (holders, token, amount) =>
      mutex.run(() => setAnswers(holders.map((holder) => [balanceOf(holder, token), amount]))),
    addBalances: (holders, token, amount) =>
      mutex.run(async () => {
        const { view, block } = await latest()
        const balances = new Map<Address, bigint>()
        for (const holder of holders) {
          const before = balances.get(holder) ?? (await answerOf(view, block, balanceOf(holder, token))) ?? 0n
          balances.set(holder, before + amount)
        }
        await setAnswers([...balances].map(([holder, balance]) => [balanceOf(holder, token), balance]))
        return balances
      }),
    setAllowance: (owner, spender, token, amount) =>
      mutex.run(() => setAnswers([[allowance(owner, spender, token), amount]])),
  }
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

function withSlot(view: LoadingView, contract: Address, slot: Word, value: bigint): Overlay {
  const overlay = new Overlay(view)
  overlay.apply({ ...emptyDiff(), slots: new Map([[contract, new Map([[slot, value]])]]) })
  return overlay
}

/** The lowest bit of the balance field in `word`: adding to the field changes the result by the same amount. */
async function findShift(
  word: bigint,
  balance: bigint,
  answerTo: (value: bigint) => Promise<bigint | undefined> | undefined,
): Promise<bigint | undefined> {
  for (let shift = 0n; shift < 256n; shift++) {
    if ((word >> shift) % 2n ** 256n < balance) break
    const answersWith = async (delta: bigint) => (await answerTo(word + (delta << shift))) === balance + delta
    if ((await answersWith(1n)) && (await answersWith(probeDelta))) return shift
  }
  return undefined
}
