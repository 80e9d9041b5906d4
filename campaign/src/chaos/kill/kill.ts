import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectClient, startAnvil, testAccounts } from '@understudy/testkit'
import { defineScenario } from '../../shared/scenario.ts'
import { startUnderstudy } from '../../shared/startUnderstudy.ts'
import { check, emptyAnswers, load } from './load.ts'

/** Kills the network under load, again and again: after each start it must know everything that it answered. */
export const kill = defineScenario({
  name: 'chaos kill',
  summary: 'SIGKILLs under load: every answered change is there after each start.',
  options: { rounds: 200 },
  async run({ random, options: { rounds }, figures }) {
    const anvil = await startAnvil({ blockTime: 1 })
    const directory = mkdtempSync(join(tmpdir(), 'understudy-kill-'))
    try {
      let answered = emptyAnswers()
      for (let round = 0; round <= rounds; round++) {
        const network = await startUnderstudy(['--fork-url', anvil.url, '--data-dir', directory])
        const client = await connectClient(network.url, testAccounts[round % 2])
        figures.add('answers checked', await check(client, answered))
        answered = { ...emptyAnswers(), lowestHead: answered.lowestHead }
        if (round === rounds) {
          await network.end()
          break
        }
        // By the number of answers, not by the clock: a slow machine is to do as much between two kills.
        const enough = () => setTimeout(() => network.process.kill('SIGKILL'), random.below(20))
        await load(client, answered, { random, count: random.below(30), enough }).catch(() => {})
        await network.end('SIGKILL')
        figures.add('kills')
      }
    } finally {
      await anvil.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  },
})
