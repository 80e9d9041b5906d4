import type { Address, BlockContext, Done, Hex, Message, Word } from '@understudy/evm'
import { zeroAddress } from '../../ethereum/constants.ts'
import { runToEnd } from '../../execution/run.ts'
import { type MaybePromise, settle } from '../../shared/async/maybePromise.ts'
import type { ComputingTime } from '../../shared/budget/computingTime.ts'
import type { Engine } from '../../shared/engine.ts'
import { isNetworkError } from '../../shared/errors.ts'
import { bytesFromHex, hexFromBytes, wordFromBigint } from '../../shared/hex.ts'
import type { LoadingView } from '../../state/view.ts'

/** What a contract answered, or in words why it did not. */
export type Answer = { output: Uint8Array; problem: undefined } | { output: undefined; problem: string }

/** Maximum gas of a question: a hundred times what tokens take. */
const gasLimit = 1_000_000n
/** Maximum computing time of the questions about one call, in milliseconds. */
const limitMs = 3000
/** Longest answer that is looked at, in bytes. */
const outputLimit = 4096

type Needs = { engine: Engine; block: BlockContext; time: ComputingTime }

/** Asks contracts about a state, in bounded gas and time. A contract that fails to answer is not an error. */
export class StateReads {
  readonly #engine: Engine
  readonly #block: BlockContext
  readonly #time: ComputingTime

  constructor({ engine, block, time }: Needs) {
    this.#engine = engine
    this.#block = block
    this.#time = time.atMost(limitMs)
  }

  /** Answers at once if all state is in memory. `onDone` is told of a run that ended. Throws if the request has no time left. */
  ask(view: LoadingView, to: Address, data: Uint8Array, onDone?: (result: Done) => void): MaybePromise<Answer> {
    const message: Message = { from: zeroAddress, to, value: 0n, data, gasLimit, gasPrice: 0n }
    return settle(
      () => runToEnd(this.#engine, message, this.#block, withoutGuesses(view), { kind: 'call', time: this.#time }),
      (result) => {
        if (result.type === 'rejected') return failed('cannot be called')
        onDone?.(result)
        return answerOf(result)
      },
      (error) => {
        if (isNetworkError(error, 'EXECUTION_TOO_LONG')) return failed('was not read: others took too long')
        if (isNetworkError(error) && !isNetworkError(error, 'REQUEST_CANCELLED')) return failed('could not be read')
        throw error
      },
    )
  }
}

/** The views of states, without guesses of what a call reads: asking the live chain for those takes a request for each question. */
const views = new WeakMap<LoadingView, LoadingView>()

function withoutGuesses(view: LoadingView): LoadingView {
  const known = views.get(view)
  if (known) return known
  const made = new UnguidedView(view)
  views.set(view, made)
  return made
}

class UnguidedView implements LoadingView {
  readonly prefetch = undefined
  readonly #view: LoadingView

  constructor(view: LoadingView) {
    this.#view = view
  }

  get identity(): object {
    return this.#view.identity
  }

  account(address: Address) {
    return this.#view.account(address)
  }

  code(address: Address, codeHash: Word) {
    return this.#view.code(address, codeHash)
  }

  storage(address: Address, slot: Word) {
    return this.#view.storage(address, slot)
  }

  blockHash(number: bigint) {
    return this.#view.blockHash(number)
  }

  liveAnswer(address: Address, input: Hex) {
    return this.#view.liveAnswer?.(address, input)
  }

  load(...wanted: Parameters<LoadingView['load']>) {
    return this.#view.load(...wanted)
  }
}

const failed = (problem: string): Answer => ({ output: undefined, problem })

function answerOf({ status, halt, output }: Done): Answer {
  if (status === 'revert') return failed('reverted')
  if (status === 'halt') return failed(halt === 'out of gas' ? 'used all of its gas' : `failed: ${halt}`)
  if (output.length > outputLimit) return failed(`returned ${output.length} bytes`)
  return { output, problem: undefined }
}

/** The data of a call with a selector, without `0x`, and words. */
export function callData(selector: string, ...words: (Address | bigint)[]): Uint8Array {
  const texts = words.map((word) => wordFromBigint(BigInt(word)).slice(2))
  return bytesFromHex(`0x${selector}${texts.join('')}`)
}

/** The first word of an answer; `undefined` if there is none. */
export function wordOf({ output }: Answer, index = 0): bigint | undefined {
  if (!output || output.length < 32 * (index + 1)) return undefined
  return BigInt(hexFromBytes(output.subarray(32 * index, 32 * (index + 1))))
}
