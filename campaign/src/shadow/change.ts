import { artifacts, postJsonRpc } from '@understudy/testkit'
import type { Hex } from 'viem'
import { defineScenario } from '../shared/scenario.ts'
import { reexecute } from './reexecution.ts'
import { startShadowing } from './shadowing.ts'

/** The lending market with an error, on top of which the live chain's transactions run. */
export const change = defineScenario({
  name: 'shadow change',
  summary: 'The divergences of an upgrade with an error are exactly those that anvil finds by running everything.',
  options: { transactions: 2000, perBlock: 25 },
  async run({ random, options: { transactions, perBlock }, figures, print }) {
    const shadowing = await startShadowing(random)
    const { live, market, url } = shadowing
    try {
      await shadowing.caughtUp()
      const block = Number(await live.rpc<Hex>('eth_blockNumber'))
      const made = [market.lending, artifacts.StricterLendingMarket.deployedBytecode] as const
      await postJsonRpc(url, 'dev_setCode', made)
      for (let sent = 0; sent < transactions; sent += perBlock) await market.block(perBlock)
      await shadowing.caughtUp()

      const again = await reexecute(live, block, made)
      const found = await shadowing.divergences()
      const told = found.filter(({ fields }) => fields.some((field) => ['status', 'gas', 'logs'].includes(field)))
      const counts = await shadowing.counts()
      figures.set('transactions', again.transactions)
      figures.set('shadowed', counts.same + counts.diverged + counts.refused)
      figures.set('diverged', told.length)
      figures.set('changed status', told.filter(({ fields }) => fields.includes('status')).length)
      figures.set('re-execution by anvil, s', again.seconds.toFixed(1))

      const [here, there] = [new Set(told.map(({ hash }) => hash)), new Set(again.differing)]
      const missed = [...there].filter((hash) => !here.has(hash))
      const invented = [...here].filter((hash) => !there.has(hash))
      for (const hash of [...missed, ...invented].slice(0, 10))
        print(JSON.stringify(found.find((f) => f.hash === hash) ?? hash))
      if (missed.length + invented.length > 0)
        throw new Error(`${missed.length} divergences were missed, and ${invented.length} are none`)
      if (counts.unreproducible > 0) throw new Error(`${counts.unreproducible} transactions could not be reproduced`)
      if (there.size === 0) throw new Error('nothing diverged')
    } finally {
      await shadowing.stop()
    }
  },
})
