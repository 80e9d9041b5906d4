import type { Address, BlockContext, Word } from '@understudy/evm'
import { decodeAbiParameters, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { ComputingTime } from '../shared/budget/computingTime.ts'
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
import { requireSuccess } from './revert.ts'
import { runLoaded } from './run.ts'

/** Where a token keeps a holder's balance: a field of a slot, in whatever contract. */
export type BalanceSlot = {
  contract: Address
  slot: Word
  /** The lowest bit of the field. */
  shift: bigint
  /** Bits of the field. */
  width: bigint
}

/** A view of a token that answers one number. */
type Read = {
  token: Address
  from: Address
  data: Hex
  /** The same question about accounts that nobody has. */
  otherAccountData: Hex
  name: 'balanceOf' | 'allowance'
  notFound(problem: string): NetworkError
}

/** Balances and allowances of ERC-20 tokens, written into the storage slot that is found to hold them. */
export type TokenBalances = {
  /** Throws `BALANCE_SLOT_NOT_FOUND`. */
  findSlot(holder: Address, token: Address): Promise<BalanceSlot>
  /** Returns the new balance. */
  setBalance(holder: Address, token: Address, amount: bigint): Promise<bigint>
  addBalance(holder: Address, token: Address, amount: bigint): Promise<bigint>
  /** Returns the new allowance. Throws `ALLOWANCE_SLOT_NOT_FOUND`. */
  setAllowance(owner: Address, spender: Address, token: Address, amount: bigint): Promise<bigint>
}

const gasLimit = 30_000_000n
/** How long each run of a view of a token may compute: there are many. */
const runMs = 250
/** An account that nobody has: the end of the hash of this sentence. */
const unusedAccount: Address = `0x${keccak(new TextEncoder().encode('an account that nobody has')).slice(-40)}`
/** A delta that no rounding of shares hides. */
const probeDelta = 1_000_000_007n
/** Slots that one `balanceOf` may read. */
const candidateLimit = 64

/** `latest` tells where balances are read: the newest state, in the block that would come next. */
export function createTokenBalances({
  engine,
  state,
  latest,
}: {
  engine: Engine
  state: Pick<State, 'write'>
  latest: () => Promise<ExecutionPoint>
}): TokenBalances {
  async function run(view: LoadingView, block: BlockContext, { token, from, data }: Read) {
    const message = { from, to: token, value: 0n, data: bytesFromHex(data), gasLimit, gasPrice: 0n }
    return runLoaded(engine, message, { ...block, gasLimit }, view, {
      kind: 'call',
      time: new ComputingTime(runMs),
    })
  }

  async function answerOf(view: LoadingView, block: BlockContext, read: Read) {
    const result = await run(view, block, read)
    return result.status === 'success' && result.output.length >= 32
      ? decodeAbiParameters([{ type: 'uint256' }], hexFromBytes(result.output))[0]
      : undefined
  }

  async function findSlot(read: Read): Promise<BalanceSlot> {
    const { view, block } = await latest()
    const { name, notFound: refuse } = read
    const result = requireSuccess(await run(view, block, read))
    if (result.output.length < 32) throw refuse(`${name} answers no number; is it an ERC-20 token?`)
    const [balance] = decodeAbiParameters([{ type: 'uint256' }], hexFromBytes(result.output))
    // What is read for others too is not this holder's: a rebasing token's totals look like the balance of who has all of it.
    const shared = await run(view, block, { ...read, data: read.otherAccountData })
    const candidates = [...result.readSet.slots].flatMap(([contract, slots]) =>
      [...slots].filter((slot) => !shared.readSet.slots.get(contract)?.has(slot)).map((slot) => ({ contract, slot })),
    )
    if (candidates.length > candidateLimit)
      throw refuse(`${name} reads ${candidates.length} slots; at most ${candidateLimit} are tried`)

    const found: BalanceSlot[] = []
    for (const { contract, slot } of candidates) {
      const word = await loadStorage(view, contract, slot)
      const answerTo = (value: bigint) =>
        value >> 256n === 0n ? answerOf(withSlot(view, contract, slot, value), block, read) : undefined
      const shift = await findShift(word, balance, answerTo)
      if (shift === undefined) continue
      // With every bit from there on set, the answer shows how many of them are its own.
      const ones = (1n << (256n - shift)) - 1n
      const answer = await answerTo(word | (ones << shift))
      const width = BigInt((answer ?? ones).toString(2).length)
      if (answer === undefined || answer === (1n << width) - 1n) found.push({ contract, slot, shift, width })
    }
    const [only, other] = found
    if (other) throw refuse('it is computed from several slots (shares, or a rebasing token)')
    if (!only) throw refuse(`no slot that ${name} reads is it (it is computed, or the token rebases)`)
    return only
  }

  async function setAnswer(read: Read, amount: bigint): Promise<bigint> {
    const { contract, slot, shift, width } = await findSlot(read)
    if (amount >> width !== 0n)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'amount',
        problem: `the token keeps it in ${width} bits; ${amount} does not fit`,
      })
    const { view, block } = await latest()
    const word = await loadStorage(view, contract, slot)
    const mask = ((1n << width) - 1n) << shift
    const value = (word & ~mask) | (amount << shift)
    const answer = await answerOf(withSlot(view, contract, slot, value), block, read)
    if (answer !== amount) throw read.notFound(`with ${amount} in its slot the token answers ${answer}`)
    await state.write({ ...emptyDiff(), slots: new Map([[contract, new Map([[slot, value]])]]) })
    return amount
  }

  // A slot is read, and then written with other fields of it as they were.
  const mutex = createMutex()

  return {
    findSlot: (holder, token) => findSlot(balanceOf(holder, token)),
    setBalance: (holder, token, amount) => mutex.run(() => setAnswer(balanceOf(holder, token), amount)),
    addBalance: (holder, token, amount) =>
      mutex.run(async () => {
        const { view, block } = await latest()
        const balance = (await answerOf(view, block, balanceOf(holder, token))) ?? 0n
        return setAnswer(balanceOf(holder, token), balance + amount)
      }),
    setAllowance: (owner, spender, token, amount) =>
      mutex.run(() => setAnswer(allowance(owner, spender, token), amount)),
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

/** The lowest bit of the field in `word` that is the balance: adding to the field adds as much to the answer. */
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
