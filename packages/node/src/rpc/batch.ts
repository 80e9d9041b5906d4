import { NetworkError } from '../shared/errors.ts'
import { giveWay } from '../shared/giveWay.ts'
import type { LongText } from '../shared/json/longText.ts'
import type { Caller, Client } from './caller.ts'
import { type Answer, failure, invalid, type MessageAnswer } from './envelope.ts'

/** Said of a request that cannot be answered at once, but was counted for the rate limit of its client. */
export const counted = Symbol('counted')

/** How long one request may compute before it takes turns with others, and a batch before others are served, in milliseconds. */
export const quickMs = 5
const batchSliceMs = 10
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
  /** The answers of a batch in its order. Reads run together; whatever may change something runs alone, in its place. */
  function answer(items: readonly unknown[], client: Client): MessageAnswer | Promise<MessageAnswer> {
    if (items.length === 0) return failure('null', invalid('the batch is empty'))
    if (items.length > batchLimit)
      return failure(
        'null',
        new NetworkError('LIMIT_EXCEEDED', { what: `a batch of ${items.length} requests`, limit: batchLimit }),
      )
    const answers: (string | undefined)[] = []
    const until = performance.now() + batchSliceMs
    for (const item of items) {
      const left = until - performance.now()
      const text = left > 0 ? answerNow(item, client, left) : undefined
      if (text === undefined || text === counted)
        return finishBatch(items, answers, withBudgetOf(client), text === counted)
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
  ): Promise<MessageAnswer> {
    const reads = new Set<Promise<void>>()
    const first = answers.length
    // The budget of the batch counts what its key computes.
    const client = { ...caller, quotas: undefined }
    let sliceEnd = performance.now() + batchSliceMs
    // After a call that took long, the others are likely to take long too.
    let isSlow = false
    for (let index = first; index < items.length; index++) {
      const item = items[index]
      let mayBeLeft = index === first && isCounted
      if (!mayBeLeft) {
        if (performance.now() >= sliceEnd) {
          await giveWay()
          sliceEnd = performance.now() + batchSliceMs
        }
        const { signal, time } = caller.budget
        const startedAt = performance.now()
        const mayTry = !isSlow && !signal.aborted && time.leftMs > 0
        const text = mayTry ? answerNow(item, client, Math.min(quickMs, sliceEnd - startedAt)) : undefined
        const tookMs = performance.now() - startedAt
        time.spend(tookMs)
        if (text !== undefined && text !== counted) {
          answers[index] = `${text}`
          continue
        }
        isSlow ||= tookMs > quickMs / 2
        mayBeLeft = text === counted
      }
      const answered = async () => {
        answers[index] = (await answerOne(item, caller, mayBeLeft)).text?.toString()
      }
      if (isRead(item)) {
        if (reads.size >= readsAtATime) await Promise.race(reads)
        const read = answered().finally(() => reads.delete(read))
        reads.add(read)
      } else {
        await Promise.all(reads)
        await answered()
      }
    }
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
  let sliceEnd = performance.now() + batchSliceMs
  for (const text of texts) {
    task(text)
    if (performance.now() < sliceEnd) continue
    await giveWay()
    sliceEnd = performance.now() + batchSliceMs
  }
}
