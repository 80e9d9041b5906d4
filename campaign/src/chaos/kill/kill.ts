import { startAnvil, startUnderstudy } from '@understudy/testkit'
import { defineScenario } from '../../shared/scenario.ts'
import { BranchClient } from '../branches/branchClient.ts'
import { auditSamples, BlockAudit, Unrecorded } from './audit.ts'
import { startOnDamagedCopy } from './damagedCopy.ts'
import { startLiveTraffic } from './liveTraffic.ts'
import { runLoad } from './load.ts'
import { Register } from './register.ts'
import { rpcOf } from './rpc.ts'
import { rewind } from './steps/rewind.ts'
import { steps } from './steps/steps.ts'
import { createStoredNetwork } from './storedNetwork.ts'

/** In every this many rounds, one worker is alone and reverts the network. */
const rewindEvery = 5
/** Maximum number of answered steps between two kills. */
const stepsLimit = 60

/** Kills the network under load, repeatedly. After each start, every answered change must be stored, and no change in part. */
export const kill = defineScenario({
  name: 'chaos kill',
  summary:
    'SIGKILLs under load: what was answered is there, nothing is there in part, the indexes agree, branches stay apart, and damage of a file is noticed.',
  /** A file of a copy is damaged after every `damageEvery`th kill; 0: never. */
  options: { rounds: 200, databaseUrl: '', damageEvery: 1 },
  async run({ random, options: { rounds, databaseUrl, damageEvery }, figures, print }) {
    // Samples are compared with the state of old blocks.
    const anvil = await startAnvil({ blockTime: 1, args: ['--max-persisted-states', '100000'] })
    const stored = createStoredNetwork(databaseUrl)
    const traffic = await startLiveTraffic(anvil)
    const register = new Register()
    const audit = new BlockAudit()
    const unrecorded = new Unrecorded()
    const branches = new BranchClient(random)
    const starts: number[] = []
    try {
      for (let round = 0; round <= rounds; round++) {
        const started = performance.now()
        const network = await startUnderstudy(['--fork-url', anvil.url, ...stored.flags])
        starts.push(performance.now() - started)
        const rpc = rpcOf(network.url)
        const isLast = round === rounds
        figures.add('facts checked', await register.check(rpc, isLast ? 'all' : random))
        await audit.run(rpc)
        figures.add('samples compared', await auditSamples(rpc, audit, unrecorded, random))
        figures.add('values of branches checked', await branches.check(network.url))
        if (isLast) {
          await branches.removeAll(network.url)
          await network.end()
          await stored.audit('without branches')
          break
        }
        const count = random.below(stepsLimit)
        // Counted in answers, not in time, so that a slow machine does as much between two kills.
        const enough = () => setTimeout(() => network.process.kill('SIGKILL'), random.below(20))
        const load = { url: network.url, random, register, live: traffic.contracts, count, enough }
        const isAlone = round % rewindEvery === rewindEvery - 1
        const [answered, ofBranches] = await Promise.all([
          isAlone ? runLoad(load, [...steps, rewind, rewind, rewind], 1) : runLoad(load, steps),
          branches.run(network.url, { mayWriteNetwork: !isAlone }),
        ])
        figures.add('steps answered', answered)
        figures.add('changes of branches answered', ofBranches)
        unrecorded.learn((await network.end('SIGKILL')).stderr)
        await stored.audit()
        figures.add('kills')
        const { directory } = stored
        if (directory !== undefined && damageEvery > 0 && round % damageEvery === 0) {
          const damage = { turn: round / damageEvery, args: ['--fork-url', anvil.url], register, random }
          const found = await startOnDamagedCopy(directory, damage)
          if (found !== undefined) figures.add(found)
        }
        if (round % 10 === 9)
          print(
            `${round + 1} kills, ${figures.get('facts checked')} facts checked, ${audit.figures.blocks} blocks audited`,
          )
      }
    } finally {
      starts.sort((a, b) => a - b)
      figures.set('samples that it said it could not record', unrecorded.excused)
      figures.set('facts known', register.size)
      for (const [name, count] of Object.entries(audit.figures)) figures.set(`${name} audited`, count)
      figures.set('start, median ms', Math.round(starts[starts.length >> 1] ?? 0))
      figures.set('start, longest ms', Math.round(starts.at(-1) ?? 0))
      await traffic.stop()
      await anvil.stop()
      await stored.remove()
    }
  },
})
