import { blockFromAnswer, numberFromAnswer, type RawBlock } from '../answers.ts'
import { type ErrorKind, errorKind } from '../transport/rpcError.ts'
import type { Base } from '../wantedState.ts'

/** What upstream answered to one call. */
export type RecordedAnswer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** Options of the recorded network, for one that starts from the recording. */
export type RecordedNetwork = {
  /** Decimal. */
  chainId: string
  /** Decimal; `null` if it was not forked at a chosen block. */
  forkBlock: string | null
}

/** `blocks` identify the chain: a reorg may have removed the first. */
export type RecordedChain = { chainId: bigint; head: RawBlock; blocks: Base[] }

/** A head, and how many milliseconds it came after the first. */
export type RecordedHead = { afterMs: number; block: RawBlock }

/** Heads are stored as if they were answers to such a call, with their hashes. */
export const headMethod = 'recorded_head'

/** Maximum of calls and of characters in a recording. */
export const callLimit = 200_000
export const textLimit = 64 * 1024 * 1024

/** Methods whose answers can be recorded have such names; others could break the lines of a file. */
export const methodName = /^\w{1,100}$/

/** Errors that a call gets at any time. */
const lastingKinds: ReadonlySet<ErrorKind> = new Set(['reverted', 'too much', 'no method', 'wrong request'])

/** What a live chain answered, by call. The first answer to a call is kept. */
export class Recording {
  network: RecordedNetwork | undefined
  /** Whether an answer was left out because a limit was reached. */
  isFull = false
  readonly #answers = new Map<string, string>()
  #size = 0
  #sorted: string[] = []

  /** Number of calls. */
  get count(): number {
    return this.#answers.size
  }

  /** Characters of the lines. */
  get size(): number {
    return this.#size
  }

  /** One line for each call, in an order that does not depend on when it was recorded. */
  *lines(): Generator<string> {
    for (const call of this.#inOrder()) yield `${call}\t${this.#answers.get(call)}\n`
  }

  /** The calls, in the same order. */
  calls(): { method: string; params: readonly unknown[]; answer: RecordedAnswer }[] {
    return this.#inOrder().map((call) => {
      const [method = '', params = '[]'] = call.split('\t')
      return { method, params: JSON.parse(params), answer: answerFrom(this.#answers.get(call) ?? '') }
    })
  }

  get(method: string, params: readonly unknown[]): RecordedAnswer | undefined {
    const known = this.#answers.get(keyOf(method, params))
    return known === undefined ? undefined : answerFrom(known)
  }

  /** Adds an answer, unless the call has one, or another time may bring another answer. */
  add(method: string, params: readonly unknown[], answer: RecordedAnswer): void {
    if ('error' in answer && !lastingKinds.has(errorKind(answer.error))) return
    if (!methodName.test(method)) return
    const text =
      'error' in answer ? `error\t${JSON.stringify(answer.error)}` : `result\t${JSON.stringify(answer.result ?? null)}`
    this.restore(keyOf(method, params), text)
    const number = 'result' in answer && (answer.result as RawBlock | null)?.number
    // A start from the recording looks the block up by its number.
    if (method === 'eth_getBlockByNumber' && typeof number === 'string')
      this.restore(keyOf(method, [number, ...params.slice(1)]), text)
  }

  /** Adds a head that moved, unless it is known. */
  addHead(block: RawBlock, afterMs: number): void {
    this.restore(keyOf(headMethod, [block.hash]), `result\t${JSON.stringify({ afterMs, block })}`)
  }

  /** In the order in which they came; none if the head stood still. Throws `UPSTREAM_ERROR` if one is invalid. */
  heads(): RecordedHead[] {
    const found = this.calls().flatMap(({ method, answer }) =>
      method === headMethod && 'result' in answer ? [headFrom(answer.result)] : [],
    )
    return found.sort((a, b) => a.afterMs - b.afterMs)
  }

  /** Adds an answer in the form of a file. */
  restore(call: string, answer: string): void {
    if (this.#answers.has(call)) return
    const size = call.length + answer.length + 2
    if (this.count >= callLimit || this.#size + size > textLimit) {
      this.isFull = true
      return
    }
    this.#answers.set(call, answer)
    this.#size += size
  }

  /** Later calls are sorted into the earlier ones, so that each store of a growing recording is short. */
  #inOrder(): readonly string[] {
    if (this.#sorted.length < this.count) {
      const added = [...this.#answers.keys()].slice(this.#sorted.length).sort()
      this.#sorted = [...this.#sorted, ...added].sort()
    }
    return this.#sorted
  }

  /** The recorded chain; `undefined` if its id or head is missing. Throws `UPSTREAM_ERROR` if an answer is invalid. */
  chain(): RecordedChain | undefined {
    const result = (method: string, params: readonly unknown[]) => {
      const answer = this.get(method, params)
      return answer && 'result' in answer ? (answer.result ?? undefined) : undefined
    }
    const chainId = result('eth_chainId', [])
    const latest = result('eth_getBlockByNumber', ['latest', false])
    if (chainId === undefined || latest === undefined) return undefined
    const head = blockFromAnswer('latest', latest)
    const finalized = result('eth_getBlockByNumber', ['finalized', false])
    const number = BigInt(head.number)
    return {
      chainId: numberFromAnswer('eth_chainId', chainId),
      head,
      blocks: [
        pointOf(head),
        ...(number > 0n ? [{ number: number - 1n, hash: head.parentHash }] : []),
        ...(finalized ? [pointOf(blockFromAnswer('finalized', finalized))] : []),
      ],
    }
  }
}

function headFrom(value: unknown): RecordedHead {
  const { afterMs, block } = (value ?? {}) as { afterMs?: unknown; block?: unknown }
  return { afterMs: Number.isFinite(afterMs) ? Number(afterMs) : 0, block: blockFromAnswer('latest', block) }
}

const pointOf = ({ number, hash }: RawBlock): Base => ({ number: BigInt(number), hash })

const keyOf = (method: string, params: readonly unknown[]) => `${method}\t${JSON.stringify(params)}`

function answerFrom(text: string): RecordedAnswer {
  const value = JSON.parse(text.slice(text.indexOf('\t') + 1))
  return text.startsWith('error') ? { error: value } : { result: value }
}
