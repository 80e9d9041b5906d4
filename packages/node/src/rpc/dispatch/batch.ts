import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import { arrivals } from '../../shared/budget/arrivals.ts'
import type { RequestBudget } from '../../shared/budget/requestBudget.ts'
import { NetworkError } from '../../shared/errors.ts'
import { createPace } from '../../shared/yieldToEventLoop.ts'
import type { Client } from '../caller.ts'
import { type Answer, failure, invalid, type MessageAnswer } from './envelope.ts'

/** How long the texts of a large answer are joined before others are served, in milliseconds. */
const joinSliceMs = 10
/** The largest answer of a batch, in characters, that is joined at once. */
const largestText = 1_000_000
/** Reads of a batch that run at a time: as many as go upstream in one request, so that a batch waits no longer, and few enough for memory. */
const readsAtATime = 100

type Needs = {
  /** `startedAt`: by `performance.now()`. */
  answerOne(item: unknown, client: Client, budget: RequestBudget, startedAt: number): MaybePromise<Answer>
  isRead(item: unknown): boolean
}

/** Answers batches of at most `batchLimit` requests. */
export function createBatches(batchLimit: number, { answerOne, isRead }: Needs) {
  /**
   * The answers of a batch in its order. Reads run together; whatever may change something runs alone, in its turn. `until`:
   * when the batch has to let others be served.
   */
  function answer(
    items: readonly unknown[],
    client: Client,
    budget: RequestBudget,
    until: number,
  ): MaybePromise<MessageAnswer> {
    if (items.length === 0) return failure('null', invalid('the batch is empty'))
    if (items.length > batchLimit)
      return failure(
        'null',
        new NetworkError('LIMIT_EXCEEDED', { what: `a batch of ${items.length} requests`, limit: batchLimit }),
      )
    const answers: Answer['text'][] = []
    const reads = new Set<Promise<void>>()
    let index = 0

    /** Answers one request, or begins to. Returns what to wait for before the next one: whatever this one does first. */
    function begin(item: unknown, at: number, now: number): Promise<unknown> | undefined {
      const runsNow = reads.size === 0 || isRead(item)
      const answer = runsNow ? answerOne(item, client, budget.forRequest(), now) : afterReads(item)
      if (!(answer instanceof Promise)) {
        answers[at] = answer.text
        return undefined
      }
      const answered = answer.then(({ text }) => {
        answers[at] = text
      })
      if (!isRead(item)) return answered
      const read = answered.finally(() => reads.delete(read))
      reads.add(read)
      return reads.size < readsAtATime ? Promise.resolve() : Promise.race(reads)
    }

    async function afterReads(item: unknown): Promise<Answer> {
      await Promise.all(reads)
      return answerOne(item, client, budget.forRequest(), performance.now())
    }

    /** Goes on until others have to be served, or there is something to wait for. */
    function slice(until: number): Promise<unknown> | undefined {
      const { time } = budget
      const startedAt = performance.now()
      const { spentMs } = time
      let now = startedAt
      let isReady: Promise<unknown> | undefined
      while (index < items.length && !isReady && now < until) {
        isReady = begin(items[index], index++, now)
        now = performance.now()
      }
      // What runs took is counted.
      time.spend(now - startedAt - (time.spentMs - spentMs))
      return isReady
    }

    async function finish(isReady: Promise<unknown> | undefined): Promise<MessageAnswer> {
      await isReady
      while (index < items.length) await arrivals.goOn(client, slice)
      await Promise.all(reads)
      const large = answers.reduce((total, text) => total + (text?.length ?? 0), 0) > largestText
      return large ? largeBatchAnswer(answers) : batchAnswer(answers)
    }

    const isReady = slice(until)
    return isReady || index < items.length ? finish(isReady) : batchAnswer(answers)
  }

  return { answer }
}

function batchAnswer(answers: readonly Answer['text'][]): Answer {
  const texts = answers.filter((text) => text !== undefined)
  return { text: texts.length === 0 ? undefined : `[${texts.join(',')}]`, error: undefined }
}

/** Writes one answer after the other: joined into one text and encoded at once, they would block the event loop. */
async function largeBatchAnswer(answers: readonly Answer['text'][]): Promise<MessageAnswer> {
  const texts = answers.flatMap((text) => text?.toString() ?? [])
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
