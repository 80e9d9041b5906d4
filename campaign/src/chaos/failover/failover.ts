import { requireDatabase } from '../../shared/database.ts'
import { defineScenario } from '../../shared/scenario.ts'
import { Cluster } from './cluster.ts'
import { startWriters } from './writers.ts'

/** The longest time without a node that seals. */
const limitMs = 5_000
/** How long a node is paused: long enough for another one to take over. */
const stoppedMs = 8_000
/** Kills or pauses the node that seals, repeatedly, while clients write through every node. */
export const failover = defineScenario({
  name: 'chaos failover',
  summary:
    'three nodes on one PostgreSQL: the one that seals is killed or stopped under load, and another one takes over.',
  options: { rounds: 40, answers: 40, databaseUrl: process.env.TEST_DATABASE_URL ?? '' },
  async run({ random, options: { rounds, answers, databaseUrl }, figures, print }) {
    const cluster = await Cluster.start(requireDatabase(databaseUrl), 3)
    let longest = 0
    try {
      for (let round = 0; round < rounds; round++) {
        const writers = startWriters(cluster, random)
        await writers.answered(answers)
        const sealer = await cluster.sealer()
        const how = round % 2 === 0 ? 'SIGKILL' : 'SIGSTOP'
        const lostAt = performance.now()
        sealer.signal(how)
        await cluster.sealer(sealer)
        await writers.answeredAfter(performance.now())
        const took = performance.now() - lostAt
        longest = Math.max(longest, took)
        figures.add(how === 'SIGKILL' ? 'kills' : 'stops')
        figures.set('longest without answers to writes, ms', Math.round(longest))
        if (took > limitMs) throw new Error(`${how}: it took ${Math.round(took)} ms until writes were answered again`)
        if (how === 'SIGKILL') await cluster.replace(sealer)
        else {
          await new Promise((resolve) => setTimeout(resolve, Math.max(0, stoppedMs - (performance.now() - lostAt))))
          sealer.signal('SIGCONT')
          await cluster.becomesReader(sealer)
        }
        await writers.answered(answers)
        await writers.stop()
        await cluster.agrees()
        const checked = await writers.check()
        figures.add('transactions answered', checked.transactions)
        figures.add('additions answered', checked.additions)
        figures.add('calls with an unknown outcome', checked.unknown)
        figures.add('blocks audited', await cluster.audit())
        if (round % 5 === 4) print(`${round + 1} rounds`)
      }
    } finally {
      await cluster.stop()
      for (const line of cluster.failures) print(line)
    }
  },
})
