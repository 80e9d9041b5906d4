import type { Random } from '../random.ts'
import { type BatchRefusal, batchRefusals } from './batches.ts'
import { endings, failures } from './failures.ts'
import type { Faults } from './faults.ts'
import { manyRefusals, wideRefusals } from './logs.ts'
import { methodRefusals } from './methods.ts'
import { notYetRefusals } from './replicas.ts'
import { hashRefusals, stateRefusals } from './state.ts'

const oneOf = <T>(random: Random, table: Readonly<Record<string, T>>): T => random.pick(Object.values(table))

/** The kinds of behaviour of an endpoint, each drawn with its numbers and words. */
export const behaviours = {
  batches: (random) => ({
    refuseBatches: random.pick(Object.keys(batchRefusals) as BatchRefusal[]),
    maxBatch: random.pick([0, 1, 3, 10, 30]),
  }),
  limitedItems: (random) => ({ limitItems: { allBut: random.below(3) } }),
  failing: (random) => ({
    sometimes: Array.from({ length: random.integer(1, 3) }, () => ({
      share: random.integer(5, 30) / 100,
      refusal: oneOf(random, failures),
    })),
  }),
  ending: (random) => ({ later: { after: random.below(40), refusal: oneOf(random, endings) } }),
  limited: (random) => ({ rate: { perSecond: random.integer(5, 50), refusal: failures.retryAfter } }),
  lagging: (random) => ({
    replicas: Array.from({ length: random.integer(2, 4) }, () => random.integer(0, 4_000)),
    notYet: oneOf(random, notYetRefusals),
  }),
  hashes: (random) => ({ refuseBlockHashes: oneOf(random, hashRefusals) }),
  newestState: (random) => ({
    ...random.pick<Faults>([{ stateByTagOnly: true }, { newestStates: 2 }, { newestStates: 128 }]),
    noState: oneOf(random, stateRefusals),
  }),
  stateless: (random) => ({ prunedBelow: Number.MAX_SAFE_INTEGER, noState: oneOf(random, stateRefusals) }),
  logs: (random) => ({
    logs: {
      blocks: random.pick([3, 10, 500]),
      rows: random.pick([1, 20, 1_000]),
      tooWide: oneOf(random, wideRefusals),
      tooMany: oneOf(random, manyRefusals),
    },
  }),
  methods: (random) => ({
    missingMethods: ['debug_*', 'trace_*', 'eth_getProof', 'eth_getBlockReceipts', 'eth_getLogs'].filter(() =>
      random.chance(0.5),
    ),
    missingMethod: oneOf(random, methodRefusals),
  }),
} as const satisfies Record<string, (random: Random) => Faults>

/** Some behaviours at one time; the same seed mixes the same. */
export function mixFaults(random: Random): Faults {
  const draws = Object.values(behaviours)
  const count = random.integer(2, 5)
  return Object.assign({}, ...Array.from({ length: count }, () => random.pick(draws)(random)))
}
