import { failures } from './failures.ts'
import type { Faults } from './faults.ts'
import { wideRefusals } from './logs.ts'
import { notYetRefusals } from './replicas.ts'
import { hashRefusals } from './state.ts'

const share = (part: number, refusal: (typeof failures)[keyof typeof failures]): Faults => ({
  sometimes: [{ share: part, refusal }],
})

/** Endpoints as users report them, one behaviour each. */
export const endpoints: Readonly<Record<string, Faults>> = {
  'without faults': {},
  'refuses batches of more than 3 with HTTP 500 and a code for each': { refuseBatches: 'freePlanStatus', maxBatch: 3 },
  'refuses batches of more than 3 with a code for each': { refuseBatches: 'freePlan', maxBatch: 3 },
  'refuses any batch with 403': { refuseBatches: 'forbidden' },
  'refuses batches of more than 3 with 403': { refuseBatches: 'forbiddenObject', maxBatch: 3 },
  'refuses batches of more than 3 with 400 and «too many requests»': { refuseBatches: 'tooManyRequests', maxBatch: 3 },
  'refuses batches of more than 3 with 413': { refuseBatches: 'payload', maxBatch: 3 },
  'refuses batches of more than 8192 bytes': { maxBatchBytes: 8_192 },
  'refuses batches of more than 10 in the first answer': { refuseBatches: 'first', maxBatch: 10 },
  'answers 503 one time in five': share(0.2, failures.unavailable),
  'answers 503 two times in five': share(0.4, failures.unavailable),
  'resets the connection one time in five': share(0.2, failures.reset),
  "answers with Cloudflare's 520 one time in five": share(0.2, failures.cloudflare520),
  "answers with Cloudflare's 522 one time in five": share(0.2, failures.cloudflare522),
  'answers a rate error in text three times in ten': share(0.3, failures.rateText),
  'answers a rate error in an HTTP 200 three times in ten': share(0.3, failures.limitExceeded),
  'has replicas that lag by 0.3 s': { replicas: [0, 300], notYet: notYetRefusals.geth },
  'has replicas that lag by 1.2 s': { replicas: [0, 400, 1_200], notYet: notYetRefusals.unknownBlock },
  'has replicas that lag by 4 s': { replicas: [0, 0, 4_000], notYet: notYetRefusals.trieNode },
  'answers hashes with «historical state»': { refuseBlockHashes: hashRefusals.historical },
  'answers hashes with «archive data»': { refuseBlockHashes: hashRefusals.archivePlan },
  'answers hashes with «archive data» and 403': { refuseBlockHashes: hashRefusals.archiveNode },
  'has state of the newest block only, by tag': { stateByTagOnly: true },
  'has state of the last two blocks only': { newestStates: 2 },
  'has logs of 3 blocks at most': { logs: { blocks: 3, tooWide: wideRefusals.chainstack } },
  'has logs of 10 blocks at most': { logs: { blocks: 10, tooWide: wideRefusals.quickNode } },
  'has logs of 500 blocks at most': { logs: { blocks: 500, tooWide: wideRefusals.alchemy } },
}
