import { startAnvil, startFaultProxy } from '@understudy/testkit'
import { defineScenario } from '../../shared/scenario.ts'
import { startLiveTraffic } from '../kill/liveTraffic.ts'
import { damagedCache, damagedTable, newerSchema, noDatabase, truncatedLog } from './damage.ts'
import { fullDisk } from './fullDisk.ts'
import { forbidden, readOnlyDisk } from './readOnly.ts'
import type { DiskTestContext } from './site.ts'

const troubles: Record<string, (context: DiskTestContext) => Promise<string>> = {
  fullDisk,
  readOnlyDisk,
  forbidden,
  damagedCache,
  damagedTable,
  noDatabase,
  truncatedLog,
  newerSchema,
}

/** Faults of the disk: the network reports them clearly, and everything is stored when they are repaired. */
export const disk = defineScenario({
  name: 'chaos disk',
  summary: 'Full, read-only and damaged disks, and tables of another version: a clear message, and no damage.',
  /** `only` names some kinds of trouble, between commas; each happens `rounds` times. */
  options: { rounds: 3, only: '' },
  async run({ random, options: { rounds, only }, figures, print }) {
    const anvil = await startAnvil({ blockTime: 1 })
    const proxy = await startFaultProxy(anvil.url)
    // Values of an anvil are not cached on disk, because requests can change its state.
    proxy.set({
      answer: ({ method }) => (method === 'web3_clientVersion' ? { result: 'Geth/v1.16.7-stable' } : undefined),
    })
    const traffic = await startLiveTraffic(anvil)
    try {
      for (let round = 0; round < rounds; round++) {
        for (const [name, trouble] of Object.entries(troubles)) {
          if (only && !only.split(',').includes(name)) continue
          print(`${name}: ${await trouble({ forkUrl: proxy.url, live: traffic.contracts, random, figures })}`)
          figures.add(name)
        }
      }
    } finally {
      await traffic.stop()
      await proxy.stop()
      await anvil.stop()
    }
  },
})
