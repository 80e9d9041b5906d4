import { arrivals } from '../shared/budget/arrivals.ts'
import { NetworkError } from '../shared/errors.ts'
import { createPace } from '../shared/giveWay.ts'
import type { LongText } from '../shared/json/longText.ts'
import type { Caller, Client } from './caller.ts'
import { type Answer, failure, invalid, type MessageAnswer } from './envelope.ts'

/** Said of a request that cannot be answered at once, but was counted for the rate limit of its client. */
export const counted = Symbol('counted')

/** How long one request may compute before it takes turns with others, in milliseconds. */
export const quickMs = 5
/** How long the texts of a large answer are joined before others are served, in milliseconds. */
const joinSliceMs = 10
/** The largest answer of a batch, in characters, that is joined at once. */
const largestText = 1_000_000
/** Reads of a batch that run at a time: as many as go upstream in one request, so that a batch waits no longer, and few enough for memory. */
const readsAtATime = 100

type Needs = {
  /** Answers a request at once; `undefined` or `counted` when it cannot. */
  answerNow(item: unknown, client: Client, ms: number): string | LongText | typeof counted | undefined
  answerOne(item: unknown, caller: Caller, isCounted: boolean): Promise<Answer>
  withBudgetOf(client: Client): Caller
  isRead(item: unknown): boolean
}

/** Answers batches of at most `batchLimit` requests. */
export function createBatches(batchLimit: number, { answerNow, answerOne, withBudgetOf, isRead }: Needs) {
  /**
   * The answers of a batch in its order. Reads run together; whatever may change something runs alone, in its place. `until`:
   * when the batch has to let others be served.
   */
  function answer(items: readonly unknown[], client: Client, until: number): MessageAnswer | Promise<MessageAnswer> {
    if (items.length === 0) return failure('null', invalid('the batch is empty'))
    if (items.length > batchLimit)
      return failure(
        'null',
        new NetworkError('LIMIT_EXCEEDED', { what: `a batch of ${items.length} requests`, limit: batchLimit }),
      )
    const answers: (string | undefined)[] = []
    for (const item of items) {
      const text = performance.now() < until ? answerNow(item, client, quickMs) : undefined
      if (text === undefined || text === counted)
        return finishBatch(items, answers, withBudgetOf(client), text === counted, until)
      answers.push(`${text}`)
    }
    return batchAnswer(answers)
  }

  /** Answers the rest of a batch. `isCounted` is said of the first. */
  async function finishBatch(
    items: readonly unknown[],
    answers: (string | undefined)[],
    caller: Caller,
    isCounted: boolean,
    until: number,
  ): Promise<MessageAnswer> {
    const reads = new Set<Promise<void>>()
    let index = answers.length
    // The budget of the batch counts what its key computes.
    const client = { ...caller, quotas: undefined }
    // After a call that took long, the others are likely to take long too.
    let isSlow = false

    /** Answers one request at once, or begins to. Returns what to wait for before the next one: whatever this one does first. */
    function begin(item: unknown, at: number): Promise<unknown> | undefined {
      const { signal, time } = caller.budget
      const startedAt = performance.now()
      const mayTry = !isCounted && !isSlow && !signal.aborted && time.leftMs > 0
      const text = isCounted ? counted : mayTry ? answerNow(item, client, quickMs) : undefined
      isCounted = false
      const tookMs = performance.now() - startedAt
      time.spend(tookMs)
      if (text !== undefined && text !== counted) {
        answers[at] = `${text}`
        return undefined
      }
      isSlow ||= tookMs > quickMs / 2
      const answered = async () => {
        answers[at] = (await answerOne(item, caller, text === counted)).text?.toString()
      }
      if (!isRead(item)) return Promise.all(reads).then(answered)
      const read = answered().finally(() => reads.delete(read))
      reads.add(read)
      return reads.size < readsAtATime ? Promise.resolve() : Promise.race(reads)
    }

    /** Goes on until others have to be served, or there is something to wait for. */
    function slice(until: number): Promise<unknown> | undefined {
      let isReady: Promise<unknown> | undefined
      while (index < items.length && !isReady && performance.now() < until) isReady = begin(items[index], index++)
      return isReady
    }

    await slice(until)
    while (index < items.length) await arrivals.goOn(caller, slice)
    await Promise.all(reads)
    const large = answers.reduce((total, text) => total + (text?.length ?? 0), 0) > largestText
    return large ? largeBatchAnswer(answers) : batchAnswer(answers)
  }

  return { answer }
}

function batchAnswer(answers: readonly (string | undefined)[]): Answer {
  const texts = answers.filter((text) => text !== undefined)
  return { text: texts.length === 0 ? undefined : `[${texts.join(',')}]`, error: undefined }
}

/** Writes one answer after the other: joined into one text and encoded at once, they would block the event loop. */
async function largeBatchAnswer(answers: readonly (string | undefined)[]): Promise<MessageAnswer> {
  const texts = answers.filter((text) => text !== undefined)
  let length = 1
  await inSlices(texts, (text) => {
    length += 1 + Buffer.byteLength(text)
  })
  const bytes = Buffer.allocUnsafe(length)
  let end = 0
  await inSlices(texts, (text) => {
    end += bytes.write(end === 0 ? '[' : ',', end)
    end += bytes.write(text, end)
  })
  bytes.write(']', end)
  return { text: bytes, error: undefined }
}

async function inSlices(texts: readonly string[], task: (text: string) => void): Promise<void> {
  const pace = createPace(joinSliceMs)
  for (const text of texts) {
    task(text)
    await pace()
  }
}
